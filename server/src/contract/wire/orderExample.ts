/** A body of creation that works as it is on the demonstration central. */
export const orderExample = {
  empresa_id: 1,
  forma_pagamento: 'D',
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: '-30.0305',
    lng: '-51.2303',
  },
  paradas: [
    {
      endereco_parada: 'Avenida Ipiranga, 1200',
      bairro_parada: 'Azenha',
      cidade_parada: 'Porto Alegre',
      estado_parada: 'RS',
      lat_parada: '-30.0489',
      lng_parada: '-51.2158',
      nome_cliente_parada: 'Maria',
      telefone_cliente_parada: '51999990000',
      numero_pedido: 'A-1',
    },
  ],
};
