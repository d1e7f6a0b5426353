import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { AddressParts, FoundAddress, Geocoder } from '../geocoder.ts';
import { findCandidates, understandWords } from './findCandidates.ts';
import {
  type District,
  findCurrentSetId,
  findDistricts,
  findNumbers,
  findStreetsByPostcode,
  type Street,
} from './lookupStore.ts';
import { findMunicipality, type Municipality, municipalityByCode } from './municipalities.ts';
import { type FoundNumber, NumberTable } from './numberTable.ts';
import { type ParsedAddress, parseAddress } from './parseAddress.ts';
import { reverseLookup } from './reverseLookup.ts';
import { likenessOf, type ScoredStreet, type StreetQuery, scoreStreet } from './scoreStreet.ts';
import { parsePostcode, standardiseName, wordsOf } from './standardise.ts';

const SOURCE = 'addresses';
/** A name with a lower score is another street. With the right postcode a misspelled name is enough. */
const NAME_SCORE_MIN = 0.7;
const NAME_SCORE_MIN_WITH_POSTCODE = 0.4;
const NUMBERED_MAX = 16;
const EXACT_NUMBER_BONUS = 0.06;
const ESTIMATED_NUMBER_BONUS = 0.03;
/** Answers this near to each other in score are equally good; far apart on the map they are ambiguous. */
const TIE = 0.012;
const TIE_METRES = 300;
const MUNICIPALITY_METRES = 10_000;

/** Answers from the imported addresses. Nothing leaves the machine. */
export function embeddedGeocoder(db: Tx): Geocoder {
  /**
   * Look-ups take several statements. If an import switches sets meanwhile, it deletes the old one, whose remains may
   * give a wrong answer. The look-up then starts again.
   */
  async function withSet<Answer>(findIn: (setId: number) => Promise<Answer>, none: Answer): Promise<Answer> {
    for (let setId = await findCurrentSetId(db); ; ) {
      if (setId === null) return none;
      const answer = await findIn(setId);
      const now = await findCurrentSetId(db);
      if (now === setId) return answer;
      setId = now;
    }
  }
  return {
    name: SOURCE,
    search: (text, near, limit) => withSet((setId) => search(db, setId, text, near, limit), []),
    geocode: (parts) => withSet((setId) => geocode(db, setId, parts), null),
    reverse: (position) => withSet((setId) => reverseLookup(db, setId, position), null),
  };
}

async function geocode(db: Tx, setId: number, parts: AddressParts): Promise<FoundAddress | null> {
  const parsed = parseAddress(parts.line);
  const state = parts.state || parsed.state?.code;
  const { municipality, district } = placeOf(parts, parsed, state);
  const postcode = parsePostcode(parts.postcode) ?? parsed.postcode;
  const query: StreetQuery = {
    type: parsed.type,
    words: parsed.words,
    isTyping: false,
    mayNamePlaces: false,
    district: wordsOf(standardiseName(district)),
    postcode: postcode === null ? null : Number(postcode),
    near: municipality ? undefined : parts.near,
  };
  const [named, sharing] = await Promise.all([
    understandWords(db, setId, parsed.words, false).then((asked) =>
      findCandidates(db, setId, asked, {
        municipality: municipality?.code,
        near: municipality ? undefined : parts.near,
      }),
    ),
    postcode === null ? [] : findStreetsByPostcode(db, setId, Number(postcode), NUMBERED_MAX),
  ]);
  const streets = new Map([...named, ...sharing].map((street) => [street.id, street]));
  const fitting = [...streets.values()]
    .map((street) => scoreStreet(query, street))
    .filter(({ nameScore, street }) =>
      postcode !== null && street.postcodes.includes(Number(postcode))
        ? nameScore >= NAME_SCORE_MIN_WITH_POSTCODE
        : nameScore >= NAME_SCORE_MIN,
    );
  const best = bestOf(await withNumbers(db, setId, fitting, parsed.number), postcode);
  if (best) return isNumbered(best) ? { ...best, number: parsed.number } : best;
  if (sharing.length) return postcodeAnswer(sharing, postcode!);
  const area = await districtOf(db, setId, district, municipality);
  return area ? districtAnswer(area) : municipality ? municipalityAnswer(municipality) : null;
}

const isNumbered = ({ precision }: FoundAddress): boolean =>
  precision === 'number' || precision === 'approximate';

/** The municipality and the district, from their own fields or from what follows the street. */
function placeOf(
  { city, district, near }: AddressParts,
  { places }: ParsedAddress,
  state: string | null | undefined,
): { municipality: Municipality | undefined; district: string } {
  if (city)
    return { municipality: findMunicipality(city, state, near), district: district || (places[0] ?? '') };
  for (let at = places.length - 1; at >= 0; at--) {
    const municipality = findMunicipality(places[at]!, state, near);
    if (municipality) return { municipality, district: district || (at > 0 ? places[0]! : '') };
  }
  return { municipality: undefined, district: district || (places[0] ?? '') };
}

interface Numbered extends ScoredStreet {
  found: FoundNumber | null;
  table: NumberTable | undefined;
}

/** The best streets with the number's place on each; a street that has the number is the better answer. */
async function withNumbers(
  db: Tx,
  setId: number,
  scored: readonly ScoredStreet[],
  number: number | null,
): Promise<Numbered[]> {
  const best = [...scored].sort((a, b) => b.score - a.score).slice(0, NUMBERED_MAX);
  if (number === null || best.length === 0)
    return best.map((each) => ({ ...each, found: null, table: undefined }));
  const packed = await findNumbers(
    db,
    setId,
    best.map(({ street }) => street.id),
  );
  const numbered = best.map((each): Numbered => {
    const table = new NumberTable(packed.get(each.street.id) ?? Buffer.alloc(0));
    const found = table.find(number);
    const bonus = found ? (found.isExact ? EXACT_NUMBER_BONUS : ESTIMATED_NUMBER_BONUS) : 0;
    return { ...each, found, table, score: each.score + bonus };
  });
  return numbered.sort(
    (a, b) => b.score - a.score || (a.found?.errorMetres ?? 1e9) - (b.found?.errorMetres ?? 1e9),
  );
}

function bestOf(numbered: readonly Numbered[], postcode: string | null): FoundAddress | null {
  const [best, ...others] = numbered;
  if (!best) return null;
  const answer = streetAnswer(best, postcode);
  const rivals = others
    .filter(({ score, found }) => best.score - score < TIE && (found === null) === (best.found === null))
    .map((rival) => haversineMetres(positionOf(rival), answer.position));
  const apart = Math.max(0, ...rivals);
  if (apart <= Math.max(TIE_METRES, answer.errorMetres)) return answer;
  // There are streets of the same name in different districts, so the street is ambiguous.
  return { ...answer, precision: 'municipality', errorMetres: Math.round(apart) };
}

const positionOf = ({ found, street }: Numbered): Position => found?.position ?? street.position;

function streetAnswer({ street, found, table }: Numbered, postcode: string | null): FoundAddress {
  const own = found && table ? street.postcodes[table.postcodeAt(found.index)] : undefined;
  const asked =
    postcode !== null && street.postcodes.includes(Number(postcode)) ? Number(postcode) : undefined;
  return {
    ...placeFields(street),
    street: street.name,
    number: null,
    postcode: writtenPostcode(
      own ?? asked ?? (street.postcodes.length === 1 ? street.postcodes[0] : undefined),
    ),
    position: found?.position ?? street.position,
    precision: found ? (found.isExact ? 'number' : 'approximate') : 'street',
    errorMetres: found?.errorMetres ?? street.radiusMetres,
    source: SOURCE,
  };
}

const writtenPostcode = (postcode: number | undefined): string | null =>
  postcode === undefined ? null : String(postcode).padStart(8, '0');

function placeFields({ municipality, district }: Pick<Street, 'municipality' | 'district'>) {
  const { name: city = '', state = '' } = municipalityByCode(municipality) ?? {};
  return { district, city, state };
}

/** The streets of a postcode: usually one, in small towns all. */
function postcodeAnswer(streets: readonly Street[], postcode: string): FoundAddress {
  const [first] = streets as [Street];
  const apart = Math.max(...streets.map((street) => haversineMetres(first.position, street.position)));
  return {
    ...placeFields(first),
    street: streets.length === 1 ? first.name : '',
    number: null,
    postcode,
    position: first.position,
    precision: 'postcode',
    errorMetres: Math.round(Math.max(apart, first.radiusMetres)),
    source: SOURCE,
  };
}

async function districtOf(
  db: Tx,
  setId: number,
  name: string,
  municipality: Municipality | undefined,
): Promise<District | undefined> {
  const words = wordsOf(standardiseName(name));
  if (words.length === 0 || !municipality) return undefined;
  const asked = await understandWords(db, setId, words, false);
  if (asked.length === 0) return undefined;
  const meanings = asked.map(({ meanings }) => meanings);
  const found = await findDistricts(db, setId, meanings, municipality.code, 10);
  return found.find((district) => likenessOf(words, wordsOf(standardiseName(district.name))) >= 0.6);
}

const districtAnswer = (district: District): FoundAddress => ({
  street: '',
  number: null,
  ...placeFields({ municipality: district.municipality, district: district.name }),
  postcode: null,
  position: district.position,
  precision: 'district',
  errorMetres: district.radiusMetres,
  source: SOURCE,
});

const municipalityAnswer = ({ name, state, position }: Municipality): FoundAddress => ({
  street: '',
  number: null,
  district: '',
  city: name,
  state,
  postcode: null,
  position,
  precision: 'municipality',
  errorMetres: MUNICIPALITY_METRES,
  source: SOURCE,
});

const TYPED_LENGTH_MIN = 3;
/** While typing, weak suggestions are better than none. */
const SUGGESTED_SCORE_MIN = 0.45;

async function search(
  db: Tx,
  setId: number,
  text: string,
  near: Position | undefined,
  limit: number,
): Promise<FoundAddress[]> {
  const parsed = parseAddress(text);
  const postcode = parsed.postcode === null ? null : Number(parsed.postcode);
  if (parsed.words.length === 0) {
    const streets = postcode === null ? [] : await findStreetsByPostcode(db, setId, postcode, limit);
    return streets.map((street) => streetAnswer({ ...plain(street), score: 1 }, parsed.postcode));
  }
  const places = parsed.places.flatMap((place) => wordsOf(standardiseName(place)));
  const words = [...parsed.words, ...places, ...(parsed.state ? [parsed.state.code.toLowerCase()] : [])];
  // "Rua A 100" is complete; "Rua A" may become "Rua Andradas".
  const isTyping = /\p{L}$/u.test(text) && (places.length > 0 || parsed.number === null);
  if (words.join('').length < TYPED_LENGTH_MIN) return [];
  const asked = await understandWords(db, setId, words, isTyping);
  const query: StreetQuery = {
    type: parsed.type,
    words,
    isTyping,
    mayNamePlaces: true,
    district: [],
    postcode,
    near,
  };
  const [streets, districts] = await Promise.all([
    findCandidates(db, setId, asked, { near }),
    parsed.number === null && asked.length
      ? findDistricts(
          db,
          setId,
          asked.map(({ meanings }) => meanings),
          undefined,
          limit,
        )
      : [],
  ]);
  const scored = streets
    .map((street) => scoreStreet(query, street))
    .filter(({ nameScore }) => nameScore >= SUGGESTED_SCORE_MIN);
  const numbered = await withNumbers(db, setId, scored, parsed.number);
  const answers = numbered.map((each) => streetAnswer(each, parsed.postcode));
  const suggested = [
    ...answers.map((answer) => (isNumbered(answer) ? { ...answer, number: parsed.number } : answer)),
    ...districts.filter((each) => isNamedBy(words, each)).map(districtAnswer),
  ];
  return withoutRepetitions(suggested).slice(0, limit);
}

const plain = (street: Street): Numbered => ({
  street,
  nameScore: 1,
  score: 1,
  found: null,
  table: undefined,
});

/** The words name the district itself, not only its city. */
const isNamedBy = (words: readonly string[], { name }: District): boolean =>
  wordsOf(standardiseName(name)).some((own) => words.some((word) => own.startsWith(word)));

/** A street of two sources, or one that was read in parts, is suggested once. */
function withoutRepetitions(answers: readonly FoundAddress[]): FoundAddress[] {
  const seen = new Set<string>();
  return answers.filter(({ street, district, city, state }) => {
    const key = `${standardiseName(street)}|${standardiseName(district)}|${city}|${state}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
