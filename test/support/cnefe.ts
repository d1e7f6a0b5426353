import type { AddressParts } from '../../server/src/geo/geocoding/geocoder.ts';
import type { Position } from '../../server/src/platform/kernel/position.ts';

/** All columns of CNEFE 2022, in their order. */
const HEADER = [
  ...['COD_UNICO_ENDERECO', 'COD_UF', 'COD_MUNICIPIO', 'COD_DISTRITO', 'COD_SUBDISTRITO', 'COD_SETOR'],
  ...[
    'NUM_QUADRA',
    'NUM_FACE',
    'CEP',
    'DSC_LOCALIDADE',
    'NOM_TIPO_SEGLOGR',
    'NOM_TITULO_SEGLOGR',
    'NOM_SEGLOGR',
  ],
  ...['NUM_ENDERECO', 'DSC_MODIFICADOR'],
  ...[1, 2, 3, 4, 5].flatMap((at) => [`NOM_COMP_ELEM${at}`, `VAL_COMP_ELEM${at}`]),
  ...['LATITUDE', 'LONGITUDE', 'NV_GEO_COORD', 'COD_ESPECIE', 'DSC_ESTABELECIMENTO'],
  ...['COD_INDICADOR_ESTAB_ENDERECO', 'COD_INDICADOR_CONST_ENDERECO', 'COD_INDICADOR_FINALIDADE_CONST'],
  'COD_TIPO_ESPECI',
];

export const CNEFE_HEADER = HEADER.join(';');

export interface CnefeRow {
  municipality: number;
  postcode: number;
  district: string;
  type: string;
  title: string;
  name: string;
  number: number;
  lat: number;
  lng: number;
  quality: number;
}

/** A line of the file. Every column is filled, as in the real file. */
export function cnefeLine(row: CnefeRow, id = 1): string {
  const values: Record<string, string | number> = {
    COD_UNICO_ENDERECO: id,
    COD_UF: Math.trunc(row.municipality / 100_000),
    COD_MUNICIPIO: row.municipality,
    COD_DISTRITO: `${row.municipality}05`,
    COD_SUBDISTRITO: `${row.municipality}0500`,
    COD_SETOR: `${row.municipality}050000001P`,
    NUM_QUADRA: 1,
    NUM_FACE: 1,
    CEP: row.postcode === 0 ? '' : String(row.postcode).padStart(8, '0'),
    DSC_LOCALIDADE: row.district,
    NOM_TIPO_SEGLOGR: row.type,
    NOM_TITULO_SEGLOGR: row.title,
    NOM_SEGLOGR: row.name,
    NUM_ENDERECO: row.number,
    DSC_MODIFICADOR: row.number === 0 ? 'SN' : '',
    LATITUDE: row.lat,
    LONGITUDE: row.lng,
    NV_GEO_COORD: row.quality,
    COD_ESPECIE: 1,
  };
  return HEADER.map((column) => values[column] ?? '').join(';');
}

/** A random number generator that returns the same sequence for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An address of the generated file, or one that was left out of it. */
export interface KnownAddress {
  parts: Required<Pick<AddressParts, 'district' | 'city' | 'state' | 'postcode'>>;
  type: string;
  title: string;
  name: string;
  number: number;
  position: Position;
  isHeldBack: boolean;
}

/** Municipalities around Porto Alegre, and the share of each in a thousand addresses. */
const MUNICIPALITIES: [code: number, city: string, lat: number, lng: number, share: number][] = [
  [4314902, 'Porto Alegre', -30.0318, -51.2065, 360],
  [4304606, 'Canoas', -29.9128, -51.1857, 110],
  [4309209, 'Gravataí', -29.9413, -50.9869, 90],
  [4323002, 'Viamão', -30.0819, -51.0194, 80],
  [4313409, 'Novo Hamburgo', -29.6875, -51.1328, 80],
  [4318705, 'São Leopoldo', -29.7545, -51.1498, 75],
  [4300604, 'Alvorada', -29.9914, -51.0809, 70],
  [4303103, 'Cachoeirinha', -29.9472, -51.1016, 45],
  [4307708, 'Esteio', -29.852, -51.1841, 30],
  [4320008, 'Sapucaia do Sul', -29.8276, -51.145, 60],
];

const words = (text: string): string[] => text.trim().split(/\s+/);
const FIRST =
  words(`ANTÔNIO JOÃO JOSÉ FRANCISCO PEDRO PAULO CARLOS LUIZ MANOEL SEBASTIÃO MARIA ANA HELENA TEREZA LÚCIA
  HENRIQUE ALFREDO AUGUSTO ERNESTO OSVALDO GETÚLIO JUSCELINO CÂNDIDO BENTO BORGES SALVADOR VICENTE MARCÍLIO ÉRICO
  MÁRIO CECÍLIA RAQUEL IGNÁCIO FELIPE THOMAZ GUILHERME RICARDO EDUARDO JOAQUIM BENJAMIM RODOLFO LEOPOLDO FREDERICO
  GERMANO ARTHUR ÁLVARO DOMINGOS VENÂNCIO LOBO DAVI ASSIS OLAVO CASTRO GONÇALVES`);
const LAST =
  words(`SILVA SOUZA OLIVEIRA SANTOS PEREIRA LIMA CARVALHO FERREIRA RIBEIRO ALMEIDA GOMES MARTINS BARBOSA ROCHA
  DIAS NASCIMENTO MOREIRA NUNES VIEIRA CARDOSO TEIXEIRA MACHADO FREITAS ARAÚJO BORGES CAMPOS MENEZES AZEVEDO FIGUEIREDO
  BITTENCOURT SCHMIDT MÜLLER WEBER SCHNEIDER FONTOURA ASSUNÇÃO MAGALHÃES QUINTANA VERÍSSIMO CAVALCANTI ANDRADAS
  PINHEIRO BASTOS GUIMARÃES CÂMARA FRAGA ABREU MEDEIROS VASCONCELOS SEVERO PEIXOTO CAXIAS PELOTAS TAMANDARÉ BARRETO
  MONTEIRO LOBATO AMARAL COELHO NETO DUTRA KUBITSCHEK VARGAS GOULART BRIZOLA FLORES AVELINE SIQUEIRA PRESTES`);
const THINGS =
  words(`FLORES PALMEIRAS ACÁCIAS HORTÊNSIAS IPÊS PINHEIROS LARANJEIRAS FIGUEIRAS ROSAS VIOLETAS BANDEIRANTES
  FARRAPOS INCONFIDENTES INDEPENDÊNCIA REPÚBLICA LIBERDADE PÁTRIA AMÉRICA BRASIL IPIRANGA GUAÍBA JACUÍ URUGUAI PARANÁ
  AMAZONAS BAHIA CEARÁ GOIÁS PIAUÍ SERGIPE ALAGOAS MARANHÃO PERNAMBUCO ITÁLIA ALEMANHA PORTUGAL ESPANHA FRANÇA CHILE
  ESTRELA AURORA ESPERANÇA HARMONIA CONCÓRDIA VITÓRIA CONCEIÇÃO ASSUNÇÃO ANUNCIAÇÃO NAVEGANTES`);
const MONTHS = words('JANEIRO MARÇO ABRIL MAIO JULHO AGOSTO SETEMBRO OUTUBRO NOVEMBRO DEZEMBRO');
const TITLES = words(
  'DOUTOR PROFESSOR CORONEL GENERAL CAPITÃO TENENTE MARECHAL PADRE SENADOR VEREADOR ENGENHEIRO DONA',
);
const DISTRICT_HEADS = words('VILA JARDIM PARQUE MORRO ALTO');
const DISTRICT_NAMES =
  words(`NOVA BELA FLORESTA AZENHA PARTENON SARANDI RESTINGA CRISTAL TRISTEZA IPANEMA GLÓRIA
  MEDIANEIRA SANTANA FARROUPILHA PETRÓPOLIS MENINO NAVEGANTES HUMAITÁ ANCHIETA RUBEM LOMBA AGRONOMIA CAVALHADA NONOAI
  TERESÓPOLIS BELÉM LAJEADO PONTA HIGIENÓPOLIS AUXILIADORA MOINHOS INDEPENDÊNCIA BOTÂNICO ITU SABARÁ LEOPOLDINA`);

const METRES_PER_DEGREE = 111_195;
const HELD_BACK_SHARE = 0.04;

export interface GeneratedCnefe {
  /** Lines of the file without the header, municipality after municipality, as IBGE sorts them. */
  lines: Generator<string>;
  /** A sample of the addresses, filled while the lines are read. */
  known: KnownAddress[];
}

/**
 * Addresses of invented streets in real municipalities, in the proportions of CNEFE: 22.8 % without a number, homes
 * of one building under one number, several postcodes along an avenue, the same name in many municipalities and
 * sometimes in two districts of one, and coordinates of all six levels.
 */
export function generateCnefe(count: number, seed = 20_261_115): GeneratedCnefe {
  const known: KnownAddress[] = [];
  return { lines: linesOf(count, randomFrom(seed), known), known };
}

function* linesOf(count: number, random: () => number, known: KnownAddress[]): Generator<string> {
  let id = 0;
  for (const [code, city, lat, lng, share] of MUNICIPALITIES) {
    const rows = Math.round((count * share) / 1000);
    // As many districts as addresses of real cities: about 4,000 in each.
    const districts = makeDistricts(Math.max(3, Math.round(rows / 4000)), { lat, lng }, rows, random);
    let left = rows;
    let postcode = 90_000_000 + (code % 1000) * 10_000;
    while (left > 0) {
      const district = pick(districts, random);
      const street = makeStreet(district, random);
      const named = `${street.type} ${street.title} ${street.name}`;
      if (district.taken.has(named)) continue;
      district.taken.add(named);
      postcode += 1 + Math.floor(random() * 5);
      for (const row of addressesOn(
        street,
        { code, city, district: district.name, postcode },
        random,
        known,
      )) {
        yield cnefeLine(row, ++id);
        if (--left === 0) break;
      }
    }
  }
}

interface MadeDistrict {
  name: string;
  middle: Position;
  /** Districts that already have a street of this name. */
  taken: Set<string>;
}

function makeDistricts(count: number, seat: Position, rows: number, random: () => number): MadeDistrict[] {
  const reach = Math.sqrt(rows) * 14;
  const names = new Set(['CENTRO']);
  while (names.size < count) {
    const name = pick(DISTRICT_NAMES, random);
    names.add(random() < 0.5 ? name : `${pick(DISTRICT_HEADS, random)} ${name}`);
    if (names.size > 100) names.add(`VILA ${pick(FIRST, random)} ${pick(LAST, random)}`);
  }
  return Array.from(names, (name) => ({
    name,
    taken: new Set<string>(),
    middle: moved(seat, (random() - 0.5) * 2 * reach, (random() - 0.5) * 2 * reach),
  }));
}

interface MadeStreet {
  type: string;
  title: string;
  name: string;
  start: Position;
  heading: number;
  /** Radians per metre. */
  bend: number;
  length: number;
}

function makeStreet({ middle }: MadeDistrict, random: () => number): MadeStreet {
  const isAvenue = random() < 0.06;
  const kind = random();
  const [title, name] =
    kind < 0.5
      ? [random() < 0.4 ? pick(TITLES, random) : '', fullName(random)]
      : kind < 0.72
        ? ['', `${random() < 0.4 ? 'DAS ' : ''}${pick(THINGS, random)}`]
        : kind < 0.82
          ? ['', `${1 + Math.floor(random() * 30)} DE ${pick(MONTHS, random)}`]
          : kind < 0.92
            ? [random() < 0.5 ? 'SÃO' : 'SANTA', pick(FIRST, random)]
            : [
                '',
                random() < 0.5
                  ? String(1 + Math.floor(random() * 60))
                  : String.fromCharCode(65 + random() * 20),
              ];
  return {
    type: isAvenue
      ? 'AVENIDA'
      : pick(['RUA', 'RUA', 'RUA', 'RUA', 'RUA', 'TRAVESSA', 'BECO', 'ALAMEDA'], random),
    title,
    name,
    start: moved(middle, (random() - 0.5) * 1600, (random() - 0.5) * 1600),
    heading: random() * 2 * Math.PI,
    bend: (random() - 0.5) * 0.0008,
    length: isAvenue ? 800 + random() * 2200 : 60 + random() * 400,
  };
}

const fullName = (random: () => number): string =>
  [pick(FIRST, random), ...(random() < 0.35 ? [pick(LAST, random)] : []), pick(LAST, random)].join(' ');

function* addressesOn(
  street: MadeStreet,
  place: { code: number; city: string; district: string; postcode: number },
  random: () => number,
  known: KnownAddress[],
): Generator<CnefeRow> {
  const { type, title, name } = street;
  const shared = { municipality: place.code, district: place.district, type, title, name };
  let side = 0;
  for (let metres = 10; metres < street.length; metres += 4 + random() * 14) {
    side = 1 - side;
    const number = Math.round(metres / 2) * 2 + side;
    const door = along(street, metres, side === 0 ? 9 : -9);
    const postcode = place.postcode + Math.floor(metres / 900);
    const isHeldBack = random() < HELD_BACK_SHARE;
    const quality = qualityOf(random());
    const off = [0, 2, 4, 12, 30, 150, 400][quality]!;
    const seen = moved(door, (random() - 0.5) * off, (random() - 0.5) * off);
    const homes = random() < 0.03 ? 2 + Math.floor(random() * 28) : 1;
    const isNumbered = random() > 0.228;
    if (isNumbered && random() < 0.05)
      known.push({
        parts: {
          district: place.district,
          city: place.city,
          state: 'RS',
          postcode: String(postcode).padStart(8, '0'),
        },
        type,
        title,
        name,
        number,
        position: isHeldBack ? door : seen,
        isHeldBack,
      });
    if (isHeldBack) continue;
    for (let home = 0; home < homes; home++)
      yield {
        ...shared,
        postcode,
        number: isNumbered ? number : 0,
        lat: Number(seen.lat.toFixed(6)),
        lng: Number(seen.lng.toFixed(6)),
        quality,
      };
  }
}

/** Approximately the shares of the levels in the published file. */
const qualityOf = (share: number): number =>
  share < 0.72 ? 1 : share < 0.88 ? 2 : share < 0.94 ? 3 : share < 0.985 ? 4 : share < 0.995 ? 5 : 6;

function along({ start, heading, bend }: MadeStreet, metres: number, aside: number): Position {
  // The direction of an arc's chord is the mean of the directions at both ends.
  const direction = heading + (bend * metres) / 2;
  const forward = moved(start, Math.sin(direction) * metres, Math.cos(direction) * metres);
  const across = heading + bend * metres + Math.PI / 2;
  return moved(forward, Math.sin(across) * aside, Math.cos(across) * aside);
}

const moved = ({ lat, lng }: Position, east: number, north: number): Position => ({
  lat: lat + north / METRES_PER_DEGREE,
  lng: lng + east / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
});

const pick = <Each>(among: readonly Each[], random: () => number): Each =>
  among[Math.floor(random() * among.length)]!;
