import type { RoadClass } from './plan.ts';

/** Names of Brazilian streets, from which invented streets take theirs. */
const WHOLE = [
  ...['Sete de Setembro', 'Quinze de Novembro', 'Treze de Maio', 'Vinte de Setembro', 'Primeiro de Março'],
  ...[
    'da Praia',
    'da Ponte',
    'da Matriz',
    'da Conceição',
    'do Rosário',
    'do Comércio',
    'da Alfândega',
    'do Arvoredo',
  ],
  ...[
    'das Acácias',
    'dos Ipês',
    'das Camélias',
    'dos Jacarandás',
    'das Hortênsias',
    'dos Plátanos',
    'das Paineiras',
  ],
  ...['dos Lírios', 'das Magnólias', 'dos Cinamomos', 'das Laranjeiras', 'das Palmeiras', 'dos Timbaúvas'],
  ...[
    'Bahia',
    'Ceará',
    'Pernambuco',
    'Sergipe',
    'Alagoas',
    'Paraíba',
    'Maranhão',
    'Goiás',
    'Mato Grosso',
    'Paraná',
  ],
  ...[
    'Uruguaiana',
    'Bagé',
    'Pelotas',
    'Caçapava',
    'Livramento',
    'Cruz Alta',
    'Passo Fundo',
    'Vacaria',
    'Lajeado',
  ],
  ...['São Luís', 'São Manoel', 'São Carlos', 'São Pedro', 'Santo Inácio', 'Santa Rita', 'Santa Teresinha'],
  ...['da Fonte', 'do Moinho', 'do Pescador', 'dos Tropeiros', 'dos Açorianos', 'da Olaria', 'do Chafariz'],
  ...[
    'Itália',
    'Portugal',
    'Líbano',
    'Buenos Aires',
    'Montevidéu',
    'Assunção',
    'Lisboa',
    'Coimbra',
    'Açores',
  ],
];
const TITLES = [
  ...['Coronel', 'General', 'Doutor', 'Professor', 'Barão de', 'Visconde de', 'Padre', 'Marechal', 'Tenente'],
  ...['Professora', 'Dona', 'Engenheiro', 'Maestro', 'Capitão', 'Comendador', '', '', '', '', '', '', ''],
];
const WOMEN = ['Professora', 'Dona'];
const FIRST_OF_WOMEN = [
  ...[
    'Adelaide',
    'Amália',
    'Carlota',
    'Cecília',
    'Clara',
    'Ernestina',
    'Eugênia',
    'Florinda',
    'Laura',
    'Leonor',
  ],
  ...['Margarida', 'Olinda', 'Rosália', 'Sofia', 'Zulmira', 'Idalina', 'Georgina', 'Augusta'],
];
const FIRST = [
  ...[
    'Afonso',
    'Alberto',
    'Alfredo',
    'Álvaro',
    'Amadeu',
    'Américo',
    'Anselmo',
    'Antenor',
    'Arnaldo',
    'Artur',
  ],
  ...[
    'Augusto',
    'Aurélio',
    'Baltazar',
    'Bernardo',
    'Casemiro',
    'Cipriano',
    'Cláudio',
    'Clemente',
    'Damasceno',
  ],
  ...[
    'Domingos',
    'Edmundo',
    'Eduardo',
    'Elias',
    'Emílio',
    'Ernesto',
    'Estevão',
    'Eurico',
    'Evaristo',
    'Felipe',
  ],
  ...[
    'Firmino',
    'Francisco',
    'Gaspar',
    'Germano',
    'Gonçalo',
    'Guilherme',
    'Hermes',
    'Hilário',
    'Honório',
    'Inácio',
  ],
  ...[
    'Ismael',
    'Jacinto',
    'Joaquim',
    'Jorge',
    'Júlio',
    'Lauro',
    'Leopoldo',
    'Lourenço',
    'Luciano',
    'Marcelino',
  ],
  ...['Mateus', 'Mário', 'Maurício', 'Miguel', 'Narciso', 'Nestor', 'Olavo', 'Orestes', 'Oscar', 'Otaviano'],
  ...[
    'Plínio',
    'Quirino',
    'Ramiro',
    'Raul',
    'Rodolfo',
    'Romualdo',
    'Saturnino',
    'Sebastião',
    'Silvério',
    'Teodoro',
  ],
  ...[
    'Tomás',
    'Ubaldo',
    'Urbano',
    'Valentim',
    'Venâncio',
    'Vicente',
    'Virgílio',
    'Vítor',
    'Xisto',
    'Zeferino',
  ],
];
const LAST = [
  ...[
    'Abreu',
    'Aguiar',
    'Amaral',
    'Antunes',
    'Araújo',
    'Azevedo',
    'Bandeira',
    'Barcelos',
    'Bastos',
    'Bittencourt',
  ],
  ...[
    'Borba',
    'Braga',
    'Brito',
    'Cabral',
    'Caldas',
    'Camargo',
    'Carvalho',
    'Castilhos',
    'Chaves',
    'Coelho',
    'Corrêa',
  ],
  ...[
    'Cunha',
    'Dornelles',
    'Duarte',
    'Fagundes',
    'Falcão',
    'Figueira',
    'Fontoura',
    'Fraga',
    'Freitas',
    'Furtado',
  ],
  ...[
    'Gomes',
    'Guimarães',
    'Jardim',
    'Lacerda',
    'Leal',
    'Leitão',
    'Lemos',
    'Lobo',
    'Macedo',
    'Magalhães',
    'Maia',
  ],
  ...[
    'Marques',
    'Medeiros',
    'Meireles',
    'Menezes',
    'Miranda',
    'Moreira',
    'Mota',
    'Moura',
    'Neves',
    'Nogueira',
  ],
  ...[
    'Osório',
    'Paes',
    'Paiva',
    'Peixoto',
    'Pereira',
    'Pimentel',
    'Pinheiro',
    'Pires',
    'Porto',
    'Prado',
    'Ramos',
  ],
  ...[
    'Rangel',
    'Rezende',
    'Salgado',
    'Sampaio',
    'Sarmento',
    'Seabra',
    'Serrano',
    'Simões',
    'Siqueira',
    'Tavares',
  ],
  ...['Teles', 'Toledo', 'Torres', 'Vargas', 'Vasconcelos', 'Viana', 'Vidal', 'Vilela'],
];
const SQUARES = [
  ...[
    'da Matriz',
    'da Alfândega',
    'do Arvoredo',
    'dos Açorianos',
    'da Figueira',
    'do Chafariz',
    'das Crianças',
  ],
  ...[
    'Dom Sebastião',
    'Garibaldi',
    'Carlos Simão',
    'Júlio Meireles',
    'da Encol',
    'Japão',
    'Itália',
    'Portugal',
  ],
  ...[
    'do Coreto',
    'das Nações',
    'Dona Mocinha',
    'do Expedicionário',
    'Santa Rita',
    'da Bica',
    'do Trabalhador',
  ],
  ...['Padre Antenor', 'da Amizade', 'Gustavo Langsch', 'dos Bombeiros', 'Mafalda Veríssimo', 'da Juventude'],
  ...['do Mercado', 'São Geraldo', 'Florida', 'das Paineiras', 'Nova Trento', 'Simões Lopes'],
];

/** No two streets have the same name. */
export function namesFrom(random: () => number, taken: Iterable<string>) {
  const used = new Set(taken);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const squares = [...SQUARES];
  const proper = (): string => {
    if (random() < 0.22) return pick(WHOLE);
    const title = pick(TITLES);
    const first = pick(WOMEN.includes(title) ? FIRST_OF_WOMEN : FIRST);
    if (title.endsWith(' de')) return `${title} ${pick(LAST)}`;
    return [title, title && random() < 0.4 ? '' : first, pick(LAST)].filter(Boolean).join(' ');
  };
  return {
    street(kind: RoadClass): string {
      const prefix =
        kind === 'lane' ? pick(['Travessa', 'Travessa', 'Beco']) : random() < 0.04 ? 'Alameda' : 'Rua';
      for (;;) {
        const name = `${prefix} ${proper()}`;
        if (used.has(name)) continue;
        used.add(name);
        return name;
      }
    },
    square: (): string | undefined => {
      const name = squares.splice(Math.floor(random() * squares.length), 1)[0];
      return name && `Praça ${name}`;
    },
  };
}
