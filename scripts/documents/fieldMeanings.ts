import { bulkMeanings } from './bulkMeanings.ts';
import { demandMeanings } from './demandMeanings.ts';
import type { Meaning } from './meaning.ts';
import { requestMeanings } from './requestMeanings.ts';
import { sandboxMeanings } from './sandboxMeanings.ts';
import { walkMeanings } from './walkMeanings.ts';

const district: Meaning = ['district', 'bairro'];
const city: Meaning = ['city', 'cidade'];
const state: Meaning = ['abbreviation of the state', 'sigla do estado'];
const latitude: Meaning = ['latitude', 'latitude'];
const longitude: Meaning = ['longitude', 'longitude'];
const address: Meaning = ['street and number', 'rua e número'];
const addition: Meaning = ['addition to the address, such as a flat', 'complemento, como um apartamento'];
const landmark: Meaning = ['a landmark near the address', 'ponto de referência'];
const note: Meaning = ['note', 'observação'];
const sampledType: Meaning = [
  'type whose example is sent; `webhook.teste` when left out',
  'tipo cujo exemplo é enviado; `webhook.teste` se não for informado',
];
const locatable =
  'both coordinates may be left out where the central has a geocoder (imported addresses or a service)';

/**
 * What each field of the integration interface means. A field is looked up by its operation and path, then by its
 * parent and name, and then by its name; operations and paths are those of the endpoints' definitions.
 */
export const meanings: Readonly<Record<string, Meaning>> = {
  // Estimates.
  endereco_partida: ['pickup: street and number', 'partida: rua e número'],
  bairro_partida: ['pickup: district', 'partida: bairro'],
  cidade_partida: ['pickup: city', 'partida: cidade'],
  estado_partida: ['pickup: abbreviation of the state'],
  endereco_desejado: ['destination: street and number', 'destino: rua e número'],
  bairro_desejado: ['destination: district', 'destino: bairro'],
  cidade_desejado: ['destination: city', 'destino: cidade'],
  estado_desejado: ['destination: abbreviation of the state'],
  lat_partida: [
    'pickup; required unless the central has a geocoder',
    'partida; obrigatória se a central não localiza endereços',
  ],
  lng_partida: ['as `lat_partida`', 'como `lat_partida`'],
  lat_desejado: [
    'destination; required unless the central has a geocoder',
    'destino; obrigatória se a central não localiza endereços',
  ],
  lng_desejado: ['as `lat_desejado`', 'como `lat_desejado`'],
  latlng_paradas: ['stops before the destination, in the order of the visits: `lat,lng|lat,lng`'],
  categoria_id: ['id of the category', 'id da categoria'],
  categoria_nome: ['name of the category', 'nome da categoria'],
  com_retorno: ['whether the driver returns to the pickup', 'se o condutor volta à partida'],
  estimativa_valor: ['price', 'valor'],
  estimativa_minutos: ['duration in minutes, rounded up', 'duração em minutos, arredondada para cima'],
  estimativa_tempo_minutos: ['duration in minutes, rounded up', 'duração em minutos, arredondada para cima'],
  estimativa_km: ['distance in kilometres', 'distância em quilômetros'],
  tarifa_nome: ['tariff that set the price', 'tarifa que formou o valor'],
  estimativa: [
    'estimate for the remaining stops; null while no route can be computed',
    'estimativa das paradas que restam; nula enquanto nenhuma rota pode ser calculada',
  ],

  ...sandboxMeanings,

  ...bulkMeanings,
  ...demandMeanings,
  // Quotes.
  cotacao_id: [
    'quote whose price and route the order takes (4.28)',
    'cotação cujo preço e rota valem para o pedido (4.28)',
  ],
  'criarCotacao:cotacao_id': ['id of the quote', 'id da cotação'],
  valida_ate: ['until when the price holds', 'até quando vale o preço'],
  linhas: ['the parts of the price; they add up to it', 'as partes do valor; a soma é o valor'],
  'linhas.tipo': ['kind of the part', 'tipo da parte'],
  'linhas.valor': ['amount of the part', 'valor da parte'],
  chegada: ['when the last stop may be handed over', 'quando a última parada pode ser entregue'],
  'chegada.de': ['earliest', 'mais cedo'],
  'chegada.ate': ['latest', 'mais tarde'],
  destino: ['a single destination, instead of `paradas`', 'um único destino, em vez de `paradas`'],

  // Orders.
  data: ['date of the dispatch, in the time zone of the central'],
  hora: ['time of the dispatch, in the time zone of the central'],
  forma_pagamento: ['payment code (2.5)'],
  partida: ['pickup', 'partida'],
  paradas: ['stops, in the order of the visits', 'paradas, na ordem da visita'],
  endereco_parada: address,
  bairro_parada: district,
  lat_parada: [locatable],
  lng_parada: [locatable],
  nome_cliente_parada: ['name of the recipient', 'nome de quem recebe'],
  telefone_cliente_parada: ['phone of the recipient', 'telefone de quem recebe'],
  complemento_parada: addition,
  cidade_parada: city,
  estado_parada: state,
  referencia_parada: landmark,
  observacao_parada: ['note for the driver', 'observação para o condutor'],
  numero_pedido: ['number of the order in your system', 'número do pedido no seu sistema'],
  id_externo: [
    'your own key of the order, unique in the company (4.29)',
    'a sua chave do pedido, única na empresa (4.29)',
  ],
  'obterEntrega:id_externo': [
    'your own key, only where it was ordered with one (4.29)',
    'a sua chave, só se foi pedida com uma (4.29)',
  ],
  'obterProgramada:id_externo': [
    'your own key, only where it was ordered with one (4.29)',
    'a sua chave, só se foi pedida com uma (4.29)',
  ],
  'consultarEntregas:id_externo': ['only the one with this key (4.29)', 'só a que tem esta chave (4.29)'],
  'listarProgramadas:id_externo': ['only the one with this key (4.29)', 'só a que tem esta chave (4.29)'],
  'paradas.id_externo': [
    'id of the stop in your system; an edit recognises the stop by it',
    'id da parada no seu sistema; uma edição reconhece a parada por ele',
  ],
  resultado: [
    'only with `id_externo`: whether the order was created, existed with the same content, or was edited (4.29)',
    'só com `id_externo`: se o pedido foi criado, já existia com o mesmo conteúdo, ou foi editado (4.29)',
  ],
  'obterEntregaPorIdExterno:empresa_id': [
    'whose key it is, for central users; 0: of no company',
    'de quem é a chave, para usuários da central; 0: de nenhuma empresa',
  ],
  'obterProgramadaPorIdExterno:empresa_id': [
    'whose key it is, for central users; 0: of no company',
    'de quem é a chave, para usuários da central; 0: de nenhuma empresa',
  ],
  valor_cobrar: ['amount that the driver collects at the stop', 'valor que o condutor cobra na parada'],
  codigo_confirmacao: [
    "the recipient's confirmation code of 4 digits; without it, one is made where the central requires codes",
  ],
  empresa_id: ['id of the company', 'id da empresa'],
  'obterEntrega:empresa_id': [
    'id of the company; null where a person ordered',
    'id da empresa; nulo na entrega de uma pessoa',
  ],
  'criarEntrega:empresa_id': [
    'company that orders and pays; implied for a company manager, and left out for a person (`cliente`)',
    'empresa que pede e paga; implícita para o gerente, e omitida para uma pessoa (`cliente`)',
  ],
  cliente: [
    'person who orders; required where no company orders',
    'pessoa que pede; obrigatória quando não há empresa',
  ],
  'cliente.nome': ['name', 'nome'],
  'cliente.cpf': ['CPF, with valid check digits', 'CPF, com dígitos válidos'],
  telefone: ['phone', 'telefone'],
  observacao: note,
  codigo_cupom: ['code of the coupon', 'código do cupom'],
  id_mch: ['id of the delivery, or of the scheduled delivery', 'id da entrega, ou da programada'],
  'obterProgramada:id_mch': [
    'id of the delivery that it became; null before the dispatch',
    'id da entrega que ela gerou; nulo antes do disparo',
  ],
  'obterRecibo:id_mch': ['id of the delivery', 'id da entrega'],

  // Grouping and cancelling.
  programadas_agrupadas: ['ids of the scheduled deliveries to group'],
  solicitacoes_agrupadas: ['ids of the deliveries in progress to group'],
  motivo_id: ['id of a cancellation reason of the central'],
  message: ['text for people', 'texto para pessoas'],
  mensagem: ['text for people', 'texto para pessoas'],

  // Queries.
  pagina: ['page, from 1; 1 when left out'],
  limite: ['records per page; 20 when left out'],
  status_solicitacao: ['status code (2.5)', 'código do status (2.5)'],
  tipo_pagamento: ['payment code (2.5)', 'código do pagamento (2.5)'],
  condutor_id: ['id of the driver', 'id do condutor'],

  ...walkMeanings,

  // Deliveries.
  id: ['id', 'id'],
  data_hora_solicitacao: ['when it was ordered', 'quando foi solicitada'],
  data_hora_chegada_local: ['when the driver arrived at the pickup', 'quando o condutor chegou à partida'],
  data_hora_aceite: ['when the driver accepted', 'quando o condutor aceitou'],
  data_hora_finalizacao: ['when it was finished', 'quando foi finalizada'],
  data_hora_cancelamento: ['when it was cancelled', 'quando foi cancelada'],
  data_hora_pendencia: ['when a search found no driver', 'quando uma busca não encontrou condutor'],
  cliente_id: ['id of the customer', 'id do cliente'],
  nome_passageiro: ['the same as `nome_cliente`', 'o mesmo que `nome_cliente`'],
  bandeira_chamada_id: ['id of the central', 'id da central'],
  bandeira_configuracao_id: ['id of the central', 'id da central'],
  distancia_coleta_km: [
    'straight distance from the driver to the pickup at the acceptance, in km',
    'distância em linha reta do condutor à partida, no aceite, em km',
  ],
  valor_corrida: ['net price, coupon deducted', 'valor líquido, com o desconto do cupom'],
  condutor_especificado: ['whether the central named the driver', 'se a central escolheu o condutor'],
  taxista_id: ['the same as `condutor_id`', 'o mesmo que `condutor_id`'],
  nome_taxista: ['the same as `nome_condutor`', 'o mesmo que `nome_condutor`'],
  telefone_taxista: ['the same as `telefone_condutor`', 'o mesmo que `telefone_condutor`'],
  veiculo: ['model of the vehicle', 'modelo do veículo'],
  placa_veiculo: ['plate', 'placa'],
  cor_veiculo: ['colour', 'cor'],
  duracao_corrida: ['`HH:MM:SS` from the start to the finish', '`HH:MM:SS` do início à finalização'],
  distancia_percorrida_km: [
    'length of the planned route in km; `0.00` until it is finished',
    'extensão da rota planejada em km; `0.00` até a finalização',
  ],
  data_hora_inicio: ['when the driver left the pickup, in UTC', 'quando o condutor saiu da partida, em UTC'],
  desconto: ['percentage of the coupon; `0.00` without one', 'percentual do cupom; `0.00` sem cupom'],
  tarifa: ['name of the tariff', 'nome da tarifa'],
  id_categoria: ['id of the category', 'id da categoria'],
  categoria: ['category', 'categoria'],
  descricao_categoria: ['description of the category', 'descrição da categoria'],
  nome_cliente: ['name of the customer', 'nome do cliente'],
  'paradas.nome_cliente': ['name of the recipient', 'nome de quem recebe'],
  'paradas.telefone_cliente': ['phone of the recipient', 'telefone de quem recebe'],
  telefone_cliente: ['phone of the customer', 'telefone do cliente'],
  'paradas.observacao': ['note for the driver', 'observação para o condutor'],
  cpf_cliente: ['CPF of the customer, where no company ordered', 'CPF do cliente, quando não há empresa'],
  cnpj_cpf_empresa: ['CNPJ or CPF of the company, where one ordered', 'CNPJ ou CPF da empresa, quando há'],
  'obterEntrega:codigo_cupom': [
    'code of the coupon, where one was used',
    'código do cupom, quando foi usado',
  ],
  gerador_cupom_id: ['id of the coupon, where one was used', 'id do cupom, quando foi usado'],
  taxas_cancelamento: [
    'cost of the cancellation; null where it cost nothing',
    'custo do cancelamento; nulo quando não custou nada',
  ],
  nome_condutor: ['name of the driver', 'nome do condutor'],
  telefone_condutor: ['phone of the driver', 'telefone do condutor'],
  telefone_condutor_internacional: ['the same with the country code', 'o mesmo, com o código do país'],
  desejado: ['return address; null without a return', 'endereço do retorno; nulo sem retorno'],
  'estimarEntrega:desejado': ['destination', 'destino'],
  endereco: address,
  complemento: addition,
  referencia: landmark,
  bairro: district,
  cidade: city,
  estado: state,
  uf: state,
  lat: latitude,
  lng: longitude,
  'criarEntrega:partida.lat': [locatable],
  'criarEntrega:partida.lng': [locatable],
  ordem: ['position in the order of the visits, from 0', 'posição na ordem da visita, a partir de 0'],

  // Scheduled deliveries.
  id_mch_programada: ['id of the scheduled delivery', 'id da programada'],
  situacao: ['situation code (3.2)', 'código da situação (3.2)'],
  situacao_formatada: ['name of the situation', 'nome da situação'],
  data_previsao_disparo: [
    'date of the dispatch, in the time zone of the central',
    'data do disparo, no fuso da central',
  ],
  hora_previsao_disparo: [
    'time of the dispatch, in the time zone of the central',
    'hora do disparo, no fuso da central',
  ],
  empresa: ['company', 'empresa'],
  coleta: ['pickup', 'partida'],
  'obterProgramada:valor': ['prices', 'valores'],
  'empresa.id': ['id of the company', 'id da empresa'],
  'empresa.nome': ['name of the company', 'nome da empresa'],
  'categoria.id': ['id of the category', 'id da categoria'],
  'categoria.nome': ['name of the category', 'nome da categoria'],
  estimado: ['estimated price', 'valor estimado'],
  prefixado: ['price that was fixed beforehand', 'valor fixado de antemão'],

  // Credits.
  valor: ['amount, with at most 2 decimals', 'valor, com no máximo 2 decimais'],
  tipo_identificacao: ['type of the identification (2.5)'],
  identificacao: ['value according to the type; punctuation is accepted in CPF, CNPJ and phone'],
  registro_id: ['id of the entry in the wallet', 'id do lançamento na carteira'],
  saldo: ['balance, without what is reserved', 'saldo, sem o que está reservado'],

  // Receipt.
  condutor: ['driver', 'condutor'],
  dados_solicitacao: ['the delivery', 'a entrega'],
  'condutor.telefone': ['phone of the driver', 'telefone do condutor'],
  'condutor.nome': ['name of the driver', 'nome do condutor'],
  modelo: ['model of the vehicle', 'modelo do veículo'],
  placa: ['plate', 'placa'],
  'dados_solicitacao.valor': ['net price, coupon deducted'],
  valor_original: ['gross price, before the coupon'],
  duracao: ['`HH:MM:SS` from the start to the finish'],
  distancia: ['kilometres'],
  'dados_solicitacao.categoria': ['name of the category', 'nome da categoria'],
  'obterRecibo:empresa.cpf': ['CPF or CNPJ of the company', 'CPF ou CNPJ da empresa'],
  'partida.data_hora': ['when the driver left the pickup'],
  'desejado.data_hora': ['when the delivery was finished'],

  // Tracking, areas, status.
  parada_id: ['id of the stop', 'id da parada'],
  link_rastreio: ['address of the tracking page', 'endereço da página de rastreio'],
  'obterLinksRastreio:codigo_confirmacao': [
    'confirmation code; null where the central requires none',
    'código de confirmação; nulo quando a central não o exige',
  ],
  'listarAreasAtuacao:nome': ['name', 'nome'],
  padrao: ['whether it is the default area', 'se é a área padrão'],
  status: ['status code (2.5)', 'código do status (2.5)'],
  'removerParadaProgramada:data': ['result', 'resultado'],
  'removerParadaEntrega:data': ['result', 'resultado'],
  'removerParadaProgramada:status': ['always `OK`', 'sempre `OK`'],
  'removerParadaEntrega:status': ['always `OK`', 'sempre `OK`'],
  lat_condutor: ['null while nobody carries the delivery', 'nula enquanto ninguém leva a entrega'],
  lng_condutor: ['null while nobody carries the delivery', 'nula enquanto ninguém leva a entrega'],

  // Details of a delivery.
  distancia_prevista_km: ['length of the planned route in km', 'extensão da rota planejada em km'],
  duracao_prevista_minutos: ['planned duration in minutes', 'duração planejada em minutos'],
  'obterDetalhesEntrega:id_mch_programada': ['scheduled delivery from which it came'],
  agrupada_em: ['delivery that carries it, if it was grouped'],
  entregas_agrupadas: ['deliveries that were grouped into it', 'entregas agrupadas nesta'],
  data_hora_nao_atendimento: [
    'when the search for a driver was given up',
    'quando a busca por condutor foi encerrada',
  ],
  motivo_cancelamento: ['reason of the cancellation', 'motivo do cancelamento'],
  'motivo_cancelamento.nome': ['name of the reason', 'nome do motivo'],
  entrega_pedida: ['delivery with which the stop was ordered'],
  'paradas.status': [
    '`nao_entregue`: the driver was there and could not hand it over; `nao_realizada`: the delivery ended without it',
  ],
  data_hora_conclusao: ['when the stop was concluded', 'quando a parada foi concluída'],
  tentativas: ['visits that failed and were not undone'],
  numero: ['number of the visit', 'número da visita'],
  motivo: ['why nothing could be handed over', 'por que nada pôde ser entregue'],
  decisao: ['what followed', 'o que se decidiu'],
  data_hora: ['when', 'quando'],
  comprovantes: ['photo and signature of the last visit, by links that expire'],
  'tentativas.comprovantes': ['images of this visit'],
  tipo: ['kind', 'tipo'],
  'comprovantes.url': ['signed link; anyone who has it sees the image until `expira_em`'],
  expira_em: ['end of the link, in UTC'],
  formato: ['`image/jpeg`, `image/png` or `image/webp`'],
  largura: ['width in pixels', 'largura em pixels'],
  altura: ['height in pixels', 'altura em pixels'],
  tirada_em: ['when it was taken, by the clock of the phone, in UTC'],
  recebida_em: ['when the central received it, in UTC'],
  recebido_por: ['who received the goods', 'quem recebeu'],
  valor_recebido: ['amount that the driver collected', 'valor que o condutor recebeu'],
  forma_recebimento: ['form of that payment (2.5)', 'forma desse pagamento (2.5)'],
  'obterDetalhesEntrega:paradas.codigo_confirmacao': [
    '4 digits as text; null where the central requires none',
  ],
  eventos: ['what happened, oldest first, at most 500'],
  'eventos.id': ['the `webhook-id` of the event'],
  'eventos.tipo': ['type of the event (section 6)', 'tipo do evento (seção 6)'],
  dados: ['`data` of the webhook of this type'],

  // Webhooks.
  url: ['address that receives the events', 'endereço que recebe os eventos'],
  tipos: ['types of events (section 6)', 'tipos de evento (seção 6)'],
  ativo: ['whether events are stored and sent', 'se eventos são guardados e enviados'],
  'obterWebhook:empresa_id': [
    'company whose events it receives; null for the whole central',
    'empresa cujos eventos ele recebe; nulo para a central inteira',
  ],
  'obterWebhook:estado': ['state', 'estado'],
  falhas: ['failures in a row'],
  falhando_desde: ['since when it fails, in UTC', 'desde quando falha, em UTC'],
  proxima_tentativa: ['next attempt, in UTC', 'próxima tentativa, em UTC'],
  pausado_em: ['when it was paused, in UTC', 'quando foi pausado, em UTC'],
  'reenviarEnvio:estado': ['state of the message', 'estado do envio'],
  segredo_anterior_ate: [
    'until when the former secret signs as well, in UTC',
    'até quando o segredo anterior também assina, em UTC',
  ],
  criado_em: ['when it was created, in UTC'],
  segredo: ['secret for the signature, shown once', 'segredo da assinatura, mostrado uma vez'],
  ultimo_sucesso: ['last message that was received, in UTC', 'último envio recebido, em UTC'],
  ultima_falha: ['last failure', 'última falha'],
  em: ['when, in UTC'],
  status_http: ['HTTP status of the answer', 'status HTTP da resposta'],
  erro: ['why there was no answer', 'por que não houve resposta'],
  mensagens_esperando: ['messages that wait, counted up to 10,000'],
  esperando_desde: ['since when the oldest one waits, in UTC', 'desde quando a mais antiga espera, em UTC'],
  envio_id: ['id of the message', 'id do envio'],
  evento_id: ['the `webhook-id`, the same in every attempt'],
  'testarWebhook:tipo': sampledType,
  'testarEventos:tipo': sampledType,
  'acompanharEventos:tipos': ['types of events, separated by commas; all when left out'],
  'acompanharEventos:desde': [
    'ISO 8601 instant with offset, from which on, or id of an event, after which; now when left out',
  ],
  entrega_id: ['delivery', 'entrega'],
  programada_id: ['scheduled delivery', 'programada'],
  sequencia: ['number of the event within its subject', 'número do evento dentro do seu assunto'],
  ocorrido_em: ['when it happened, in UTC'],
  'listarEnvios:estado': ['state of the message', 'estado do envio'],
  'listarEnvios:tentativas': ['attempts so far', 'tentativas até agora'],
  'listarEnvios:tipo': ['type of the event', 'tipo do evento'],
  ultima_tentativa: ['last attempt, in UTC', 'última tentativa, em UTC'],
  duracao_ms: ['duration of the attempt in milliseconds', 'duração da tentativa em milissegundos'],
  resposta: ['first characters of the answer', 'primeiros caracteres da resposta'],
  entregue_em: ['when it was received, in UTC', 'quando foi recebido, em UTC'],
  reenviado_em: ['when a person had it sent again, in UTC', 'quando alguém mandou reenviar, em UTC'],
  de: ['first moment, included, with its offset from UTC'],
  ate: ['last moment, excluded, with its offset from UTC'],
  somente_falhas: ['only messages that failed; false when left out'],
  reenviados: ['number of messages that are sent again', 'quantos envios serão repetidos'],
  ...requestMeanings,
};
