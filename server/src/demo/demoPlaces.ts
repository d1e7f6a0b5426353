import type { Address, OrderedStop } from '../requests/request.ts';

const place = (address: string, district: string, lat: number, lng: number): Address => ({
  address,
  complement: null,
  reference: null,
  district,
  city: 'Porto Alegre',
  state: 'RS',
  position: { lat, lng },
});

/** Pickups of the demonstration. */
export const demoPickups = {
  bakery: place('Rua Padre Chagas, 185', 'Moinhos de Vento', -30.0263, -51.2022),
  pharmacy: place('Rua dos Andradas, 1234', 'Centro Histórico', -30.0305, -51.2287),
  passerBy: place('Avenida João Pessoa, 1001', 'Cidade Baixa', -30.0401, -51.2178),
} as const;

/** Destinations: street corners in the inner districts. */
export const demoDestinations: readonly OrderedStop[] = [
  recipient(
    'Maria Oliveira',
    '51991110001',
    place('Rua da República, 320', 'Cidade Baixa', -30.0393, -51.2226),
  ),
  recipient(
    'Paulo Mendes',
    '51991110002',
    place('Avenida Osvaldo Aranha, 1022', 'Bom Fim', -30.0338, -51.2135),
  ),
  recipient(
    'Luísa Fontoura',
    '51991110003',
    place('Rua Ramiro Barcelos, 2350', 'Santa Cecília', -30.0389, -51.2066),
  ),
  recipient(
    'Tiago Barreto',
    '51991110004',
    place('Avenida Getúlio Vargas, 905', 'Menino Deus', -30.0521, -51.2217),
  ),
  recipient(
    'Helena Duarte',
    '51991110005',
    place('Rua Fernandes Vieira, 410', 'Bom Fim', -30.0322, -51.2098),
  ),
  recipient('Rafael Klein', '51991110006', place('Avenida Ipiranga, 1200', 'Azenha', -30.0489, -51.2158)),
  recipient(
    'Cecília Prates',
    '51991110007',
    place('Rua Mostardeiro, 777', 'Moinhos de Vento', -30.0273, -51.1985),
  ),
  recipient(
    'Bruno Teixeira',
    '51991110008',
    place('Avenida Protásio Alves, 2110', 'Petrópolis', -30.0402, -51.1908),
  ),
  recipient(
    'Nádia Ferraz',
    '51991110009',
    place('Rua Vicente da Fontoura, 1550', 'Rio Branco', -30.0437, -51.1989),
  ),
  recipient(
    'Otávio Reis',
    '51991110010',
    place('Avenida Borges de Medeiros, 2500', 'Praia de Belas', -30.0488, -51.2307),
  ),
  recipient(
    'Simone Vargas',
    '51991110011',
    place('Rua Coronel Bordini, 830', 'Auxiliadora', -30.0229, -51.1935),
  ),
  recipient(
    'Igor Sampaio',
    '51991110012',
    place('Avenida Bento Gonçalves, 1403', 'Partenon', -30.0582, -51.1987),
  ),
];

function recipient(name: string, phone: string, address: Address): OrderedStop {
  return {
    ...address,
    orderNumber: null,
    externalId: null,
    recipientName: name,
    recipientPhone: phone,
    note: null,
    collectCents: null,
    confirmationCode: null,
  };
}
