import type { ComponentType } from 'react';
import type { Permission } from '../../shared/api.gen.ts';

/** A page of the console. The pages are listed in the order of the menu. */
export interface ConsolePage {
  path: string;
  matches(path: string): boolean;
  pt: string;
  en: string;
  inMenu: boolean;
  permission: Permission;
  Page: ComponentType;
}
