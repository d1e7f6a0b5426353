/** Places in the demonstration's operating area. */
export const places = [
  { lat: '-30.0489', lng: '-51.2158' },
  { lat: '-30.0277', lng: '-51.2287' },
  { lat: '-30.0390', lng: '-51.2050' },
  { lat: '-30.0602', lng: '-51.2301' },
  { lat: '-30.0219', lng: '-51.1954' },
  { lat: '-30.0711', lng: '-51.2127' },
  { lat: '-30.0330', lng: '-51.1802' },
  { lat: '-30.0541', lng: '-51.1911' },
  { lat: '-30.0158', lng: '-51.2122' },
  { lat: '-30.0444', lng: '-51.2277' },
] as const;

export const pickup = {
  endereco: 'Rua dos Andradas, 1001',
  bairro: 'Centro Histórico',
  cidade: 'Porto Alegre',
  estado: 'RS',
  lat: '-30.0305',
  lng: '-51.2303',
};

export const stop = (index = 0) => ({
  endereco_parada: `Avenida Ipiranga, ${index + 1}`,
  bairro_parada: 'Azenha',
  lat_parada: places[index % places.length]!.lat,
  lng_parada: places[index % places.length]!.lng,
  nome_cliente_parada: `Cliente ${index + 1}`,
  telefone_cliente_parada: '51999990000',
  numero_pedido: `P-${index + 1}`,
});

/** A valid body that creates a delivery with the given number of stops. */
export const order = (changes: Record<string, unknown> = {}, stops = 1) => ({
  forma_pagamento: 'D',
  partida: pickup,
  paradas: Array.from({ length: stops }, (_, index) => stop(index)),
  ...changes,
});

/** The same for a scheduled delivery: an hour after the test clock's start, in the central's local time. */
export const scheduledOrder = (changes: Record<string, unknown> = {}, stops = 1) =>
  order({ data: '16/11/2026', hora: '13:00:00', ...changes }, stops);

/** A valid body for the estimate (4.1), for the trip of `order()`. */
export const estimate = (changes: Record<string, unknown> = {}) => ({
  endereco_partida: pickup.endereco,
  bairro_partida: pickup.bairro,
  cidade_partida: pickup.cidade,
  estado_partida: pickup.estado,
  lat_partida: Number(pickup.lat),
  lng_partida: Number(pickup.lng),
  endereco_desejado: 'Avenida Ipiranga, 1',
  bairro_desejado: 'Azenha',
  cidade_desejado: 'Porto Alegre',
  estado_desejado: 'RS',
  lat_desejado: Number(places[0].lat),
  lng_desejado: Number(places[0].lng),
  ...changes,
});
