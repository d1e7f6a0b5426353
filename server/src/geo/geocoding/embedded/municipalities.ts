import { readFileSync } from 'node:fs';
import { editDistance } from '../../../platform/kernel/editDistance.ts';
import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import { programFile } from '../../../platform/kernel/programFiles.ts';
import { states } from './abbreviations.ts';
import { findState, fold } from './standardise.ts';
import { wordKey } from './wordKey.ts';

export interface Municipality {
  /** The code of IBGE: seven digits, of which two are the state's. */
  code: number;
  name: string;
  folded: string;
  /** Two letters. */
  state: string;
  /** The seat. */
  position: Position;
}

let loaded: { all: Municipality[]; byCode: Map<number, Municipality> } | undefined;

/** All municipalities of Brazil, read at first use; municipalities.md names the source. */
function load(): NonNullable<typeof loaded> {
  if (loaded) return loaded;
  const stateOf = new Map(states.map(({ ibge, code }) => [ibge, code]));
  const all = readFileSync(programFile('server/src/geo/geocoding/embedded/municipalities.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Municipality => {
      const [code, name, lat, lng] = line.split(';');
      return {
        code: Number(code),
        name: name!,
        folded: fold(name!),
        state: stateOf.get(Math.trunc(Number(code) / 100_000))!,
        position: { lat: Number(lat), lng: Number(lng) },
      };
    });
  loaded = { all, byCode: new Map(all.map((each) => [each.code, each])) };
  return loaded;
}

export const municipalityByCode = (code: number): Municipality | undefined => load().byCode.get(code);

/**
 * Finds a municipality by its name, with or without the state; a typing error is tolerated. Of equally good ones it
 * returns the nearest to `near`.
 */
export function findMunicipality(
  name: string,
  state?: string | null,
  near?: Position,
): Municipality | undefined {
  const folded = fold(name);
  if (folded === '') return undefined;
  const code = state ? findState(state)?.code : undefined;
  const within = load().all.filter((each) => code === undefined || each.state === code);
  const same = within.filter((each) => each.folded === folded);
  if (same.length) return nearest(same, near);
  if (folded.length < 5) return undefined;
  const key = keyOf(folded);
  const like = within.filter((each) => editDistance(keyOf(each.folded), key, 1) <= 1);
  return like.length ? nearest(like, near) : undefined;
}

/** The municipality whose seat is nearest: right in most places, wrong near some borders. */
export const municipalityNear = (position: Position): Municipality => nearest(load().all, position)!;

const keyOf = (folded: string): string => folded.split(' ').map(wordKey).join(' ');

function nearest(among: readonly Municipality[], near: Position | undefined): Municipality | undefined {
  if (!near || among.length === 1) return among[0];
  return among.reduce((best, each) =>
    haversineMetres(each.position, near) < haversineMetres(best.position, near) ? each : best,
  );
}
