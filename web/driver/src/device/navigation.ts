import type { Point } from '../core/geometry.ts';

export const NAVIGATORS = ['google', 'waze', 'apple'] as const;
export type Navigator = (typeof NAVIGATORS)[number];

export const navigatorNames: Record<Navigator, string> = {
  google: 'Google Maps',
  waze: 'Waze',
  apple: 'Apple Maps',
};

/** Opens the app where it is installed, and its web page where it is not. */
export function navigationLink(navigator: Navigator, { lat, lng }: Point): string {
  const to = `${lat},${lng}`;
  switch (navigator) {
    case 'google':
      return `https://www.google.com/maps/dir/?api=1&travelmode=driving&destination=${to}`;
    case 'waze':
      return `https://waze.com/ul?navigate=yes&ll=${to}`;
    case 'apple':
      return `https://maps.apple.com/?dirflg=d&daddr=${to}`;
  }
}

/** Brazilian numbers are written without the country code. */
const withCountry = (phone: string): string => {
  const digits = phone.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 11 ? `55${digits}` : digits;
};

export const telLink = (phone: string): string => `tel:+${withCountry(phone)}`;
export const whatsAppLink = (phone: string): string => `https://wa.me/${withCountry(phone)}`;
