/** Kinds of streets and their abbreviations, folded. Recognised only as the first word of a name. */
const TYPES = `
  rua r | avenida av ave aven avn | alameda al alam | travessa tv trav trv tra | praca pc pca prc
  rodovia rod rdv rodov | estrada est estr | largo lg lgo lrg | beco bc bec | vila vl | jardim jd jdm jrd
  parque pq prq pque | conjunto cj conj | loteamento lot lotm | condominio cond condom | residencial res resid
  quadra qd qda | acesso ac aces | via | viaduto vd viad | viela vie | ladeira ld lad | passagem psg pas
  passarela | chacara ch chac | setor st set | fazenda faz | sitio sit | servidao ser serv servid | escadaria
  marginal marg | balneario bal baln | nucleo nuc | povoado pov | distrito dist | linha lin | caminho cam
  vicinal vic | contorno | corredor corr | bulevar blv bvd boulevard | elevado elev | esplanada espl | ilha
  morro mor | patio | ponte pte | praia | ramal ram | recanto | rotula rot | trecho | trevo | tunel | vale
  vereda | campo | colonia col | calcadao | anel | atalho | bloco bl | galeria | habitacional | lago
  lagoa | monte | passeio | pista | rampa rmp | terminal term | volta | area | travessao | picada | rincao | cais
`;

/** Titles and other words that are shortened anywhere in a name, folded. */
const WORDS = `
  doutor dr | doutora dra | professor prof | professora profa | engenheiro eng engo | coronel cel
  general gen gal | capitao cap | tenente ten | sargento sgt sarg | major maj | marechal mal | almirante alm
  brigadeiro brig | comendador com comend | conselheiro cons | deputado dep | senador sen | presidente pres
  governador gov | prefeito pref | vereador ver | ministro min | desembargador des | embaixador emb | padre pe pde
  monsenhor mons | frei fr | dom d | sao s | santa sta | santo sto | senhora sra | senhor sr | visconde visc
  barao bar | marques marq mq | princesa princ | imperador imp | alferes alf | soldado sd sold | cabo cb
  expedicionario exped | jornalista jorn | arquiteto arq | advogado adv | vigario vig | conego cgo con
  cardeal card | comandante cmte cte | duque dq | maestro mto mst | pastor past | reverendo rev
  regente reg | francisco fco | junior jr | filho fo | nossa nsa | independencia indep | industrial ind
  voluntarios vol | quilometro km
`;

const NUMBER_WORDS: [word: string, value: number][] = [
  ...['um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez', 'onze', 'doze'].map(
    (word, index): [string, number] => [word, index + 1],
  ),
  ...(['treze', 'quatorze', 'quinze', 'dezesseis', 'dezessete', 'dezoito', 'dezenove', 'vinte'] as const).map(
    (word, index): [string, number] => [word, index + 13],
  ),
  ...(['primeiro', 'primeira'] as const).map((word): [string, number] => [word, 1]),
  ['uma', 1],
  ['duas', 2],
  ['catorze', 14],
  ['trinta', 30],
];

/** Names of states, folded, and the codes of IBGE, by which municipalities begin. */
const STATES = `
  11 RO rondonia | 12 AC acre | 13 AM amazonas | 14 RR roraima | 15 PA para | 16 AP amapa | 17 TO tocantins
  21 MA maranhao | 22 PI piaui | 23 CE ceara | 24 RN rio grande do norte | 25 PB paraiba | 26 PE pernambuco
  27 AL alagoas | 28 SE sergipe | 29 BA bahia | 31 MG minas gerais | 32 ES espirito santo | 33 RJ rio de janeiro
  35 SP sao paulo | 41 PR parana | 42 SC santa catarina | 43 RS rio grande do sul | 50 MS mato grosso do sul
  51 MT mato grosso | 52 GO goias | 53 DF distrito federal
`;

/** Words that a person may leave out or confuse; they never decide. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  'de',
  'da',
  'do',
  'das',
  'dos',
  'e',
  'a',
  'o',
  'di',
  'del',
]);

const rowsOf = (table: string): string[][] =>
  table
    .split(/[|\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/\s+/));

const byAbbreviation = (table: string): ReadonlyMap<string, string> =>
  new Map(
    rowsOf(table).flatMap(([full, ...short]) => [full!, ...short].map((word) => [word, full!] as const)),
  );

/** Each kind of street under its own name and its abbreviations. */
export const streetTypes = byAbbreviation(TYPES);
export const fullWords = byAbbreviation(WORDS);
export const numberWords: ReadonlyMap<string, number> = new Map(NUMBER_WORDS);

export interface State {
  /** The first two digits of its municipalities. */
  ibge: number;
  code: string;
  /** Folded. */
  name: string;
}

export const states: readonly State[] = rowsOf(STATES).map(([ibge, code, ...name]) => ({
  ibge: Number(ibge),
  code: code!,
  name: name.join(' '),
}));
