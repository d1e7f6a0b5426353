import { decisionLabel } from '../../failureWords.ts';

interface SettingWords {
  name: string;
  pt: string;
  en: string;
}

const word = (name: string, pt: string, en: string): SettingWords => ({ name, pt, en });

/** The labels of the settings, grouped, in the order in which a central needs them. */
export const settingGroups: readonly { pt: string; en: string; settings: readonly SettingWords[] }[] = [
  {
    pt: 'A central',
    en: 'The central',
    settings: [
      word('nome', 'Nome', 'Name'),
      word('fuso_horario', 'Fuso horário', 'Time zone'),
      word('cor', 'Cor no que as pessoas veem', 'Colour of what people see'),
      word('texto_ajuda', 'Como o destinatário pede ajuda', 'How a recipient gets help'),
      word(
        'horas_rastreio_apos_fim',
        'Horas do link de rastreio após o fim',
        'Hours a tracking link lives after the end',
      ),
      word(
        'exige_codigo_confirmacao',
        'Exigir o código do destinatário na entrega',
        'Ask for the recipient’s code at delivery',
      ),
    ],
  },
  {
    pt: 'Comprovante de entrega',
    en: 'Proof of delivery',
    settings: [
      word('comprovante_foto', 'Foto da entrega', 'Photo of the handing over'),
      word('comprovante_assinatura', 'Assinatura de quem recebe', 'Signature of who receives it'),
      word('comprovante_nome', 'Nome de quem recebe', 'Name of who receives it'),
      word(
        'comprovante_valor',
        'Registrar o valor recebido onde há valor a cobrar',
        'Record the amount received where there is one to collect',
      ),
      word(
        'comprovante_no_rastreio',
        'Mostrar a foto ao destinatário na página de rastreio',
        'Show the photo to the recipient on the tracking page',
      ),
    ],
  },
  {
    pt: 'Acessos',
    en: 'Access',
    settings: [
      word(
        'operadores_so_conduzem_o_dia',
        'Operadores só conduzem o dia: tarifas, usuários, chaves, configurações, fechamentos e saldos ficam com supervisores e financeiro',
        'Operators run the day only: tariffs, users, keys, settings, closings and balances are left to supervisors and finance',
      ),
      word(
        'origens_navegador',
        'Sites de outros endereços que podem usar o serviço pelo navegador',
        'Sites of other addresses that may use the service from the browser',
      ),
    ],
  },
  {
    pt: 'Pedidos',
    en: 'Orders',
    settings: [
      word(
        'permite_gerente_recarregar',
        'O gerente adiciona créditos à carteira da própria empresa',
        'A manager tops up the own company’s wallet',
      ),
      word(
        'cupons_invalidos_max',
        'Cupons inválidos por usuário em 15 minutos, no máximo',
        'Invalid coupons per user in 15 minutes, at most',
      ),
      word(
        'cotacao_minutos',
        'Minutos em que vale o preço de uma cotação',
        'Minutes for which the price of a quote holds',
      ),
      word('exige_liberacao', 'Toda entrega nova aguarda liberação', 'Every new delivery awaits release'),
      word(
        'permite_cancelar_programada_aguardando',
        'A integração e o gerente da empresa podem cancelar uma programada que aguarda',
        'The integration and the company’s manager may cancel a scheduled one that awaits',
      ),
      word(
        'taxa_cancelamento_centavos',
        'Taxa ao cancelar depois do aceite (R$; 0 desliga)',
        'Fee for cancelling after acceptance (R$; 0 is off)',
      ),
    ],
  },
  {
    pt: 'Repasse aos entregadores',
    en: 'Drivers’ shares',
    settings: [
      word(
        'repasse_tipo',
        'O que o entregador ganha de cada entrega',
        'What a driver earns of each delivery',
      ),
      word(
        'repasse_percentual',
        'Percentual do preço, antes do cupom',
        'Percentage of the price, before the coupon',
      ),
      word('repasse_fixo_centavos', 'Tabela: fixo por entrega (R$)', 'Table: fixed, per delivery (R$)'),
      word('repasse_por_km_centavos', 'Tabela: por km (R$)', 'Table: per km (R$)'),
      word('repasse_por_parada_centavos', 'Tabela: por parada (R$)', 'Table: per stop (R$)'),
    ],
  },
  {
    pt: 'Paradas não entregues',
    en: 'Stops that were not delivered',
    settings: [
      word('falha_ausente', 'Ninguém no local', 'Nobody there'),
      word('falha_endereco_errado', 'Endereço errado', 'Wrong address'),
      word('falha_recusado', 'Recusou receber', 'Refused to receive'),
      word('falha_outro', 'Outro motivo', 'Another reason'),
      word(
        'falha_tentativas_max',
        'Tentativas de uma parada, onde se tenta de novo',
        'Attempts of one stop, where it is tried again',
      ),
      word('falha_apos_tentativas', 'Depois da última tentativa', 'After the last attempt'),
    ],
  },
  {
    pt: 'Pix da central',
    en: 'Pix of the central',
    settings: [
      word('pix_chave', 'Chave Pix que recebe das empresas', 'Pix key that companies pay to'),
      word('pix_nome', 'Nome do recebedor', 'Name of the receiver'),
      word('pix_cidade', 'Cidade do recebedor', 'City of the receiver'),
    ],
  },
  {
    pt: 'Ofertas aos entregadores',
    en: 'Offers to drivers',
    settings: [
      word('oferta_segundos', 'Segundos para responder a uma oferta', 'Seconds to answer an offer'),
      word('ofertas_simultaneas', 'Ofertas ao mesmo tempo', 'Offers at the same time'),
      word(
        'busca_metros_max',
        'Metros do entregador à coleta, no máximo',
        'Metres from driver to pickup, at most',
      ),
      word(
        'busca_intervalo_segundos',
        'Segundos entre buscas sem resultado',
        'Seconds between searches that found nobody',
      ),
      word('busca_limite_minutos', 'Minutos até ficar como não atendida', 'Minutes until it is not attended'),
      word(
        'posicao_minutos_max',
        'Minutos que a posição de um entregador vale',
        'Minutes a driver’s position counts',
      ),
      word(
        'proxima_coleta_metros_max',
        'Metros da última parada à próxima coleta da mesma empresa (0 desliga)',
        'Metres from the last stop to the next pickup of the same company (0 is off)',
      ),
      word(
        'permite_pegar_da_lista',
        'Entregadores em serviço podem pegar entregas que não lhes foram oferecidas',
        'Drivers on duty may take deliveries that were not offered to them',
      ),
      word(
        'lista_metros_max',
        'Pegar da lista: metros do entregador à coleta, no máximo',
        'Taking from the list: metres from driver to pickup, at most',
      ),
      word(
        'lista_em_espera_max',
        'Pegar da lista: entregas em espera por entregador, no máximo (0: só quem está livre)',
        'Taking from the list: deliveries waiting per driver, at most (0: only free drivers)',
      ),
    ],
  },
  {
    pt: 'Agrupamento automático',
    en: 'Automatic merging',
    settings: [
      word(
        'agrupamento_automatico',
        'Agrupar programadas antes da saída',
        'Merge scheduled deliveries before dispatch',
      ),
      word(
        'agrupamento_janela_minutos',
        'Minutos entre as saídas de um grupo, no máximo',
        'Minutes between dispatches of a group, at most',
      ),
      word(
        'agrupamento_antecedencia_segundos',
        'Segundos antes da primeira saída',
        'Seconds before the first dispatch',
      ),
      word(
        'agrupamento_economia_percentual_min',
        'Economia de tempo que justifica um grupo (%)',
        'Saving of time that justifies a group (%)',
      ),
      word(
        'agrupamento_rota_minutos_max',
        'Minutos de rota de um grupo, no máximo',
        'Minutes on the road of a group, at most',
      ),
    ],
  },
  {
    pt: 'Planos',
    en: 'Plans',
    settings: [
      word('planejamento', 'Planejamento contínuo', 'Continuous planning'),
      word(
        'planejamento_espera_segundos',
        'Segundos sem que ninguém aceite, para entrar nele',
        'Seconds without anybody’s acceptance, to be part of it',
      ),
      word('plano_chega_como', 'Como um plano chega aos entregadores', 'How a plan reaches drivers'),
      word(
        'plano_a_bordo_max',
        'Entregas que um entregador leva ao mesmo tempo em um plano',
        'Deliveries that a driver has aboard at a time in a plan',
      ),
    ],
  },
  {
    pt: 'Rotas e estimativas',
    en: 'Routes and estimates',
    settings: [
      word('roteirizacao', 'Fonte das rotas', 'Source of routes'),
      word(
        'estimador_acrescimo_metros',
        'Estimador: metros somados a cada trecho',
        'Estimator: metres added to each leg',
      ),
      word(
        'estimador_desvio_percentual',
        'Estimador: caminho em relação à linha reta (%)',
        'Estimator: way compared to the straight line (%)',
      ),
      word('estimador_km_por_hora', 'Estimador: km por hora', 'Estimator: km per hour'),
    ],
  },
  {
    pt: 'Endereços',
    en: 'Addresses',
    settings: [
      word('geocodificacao', 'Quem encontra endereços no mapa', 'Who finds addresses on the map'),
      word(
        'endereco_precisao_minima',
        'Precisão mínima de um endereço encontrado',
        'Least precision of an address that was found',
      ),
      word(
        'aceita_endereco_impreciso',
        'Aceitar endereços menos precisos e marcar para conferência, em vez de recusar',
        'Accept less precise addresses and mark them to be checked, instead of refusing them',
      ),
    ],
  },
  {
    pt: 'Simulação',
    en: 'Simulation',
    settings: [
      word(
        'simula_condutores',
        'Entregadores simulados se movem sozinhos',
        'Simulated drivers move by themselves',
      ),
      word('simulacao_velocidade', 'Vezes mais rápidos que os reais', 'Times as fast as real ones'),
      word(
        'simulacao_sexta',
        'Sexta-feira à noite na demonstração: 15 empresas, 40 entregadores e até 250 pedidos abertos',
        'A Friday evening in the demonstration: 15 companies, 40 drivers and up to 250 open orders',
      ),
    ],
  },
  {
    pt: 'Limites e guarda',
    en: 'Limits and keeping',
    settings: [
      word(
        'eventos_guardados_dias',
        'Dias que eventos e envios são guardados',
        'Days that events and sendings are kept',
      ),
      word(
        'requisicoes_amostra_uma_em',
        'Registrar uma em quantas requisições aceitas (0: só as recusadas)',
        'Record one in how many accepted requests (0: only refused ones)',
      ),
      word(
        'requisicoes_guardadas_dias',
        'Dias que requisições registradas são guardadas (0: nenhuma é registrada)',
        'Days that recorded requests are kept (0: none are recorded)',
      ),
      word(
        'dados_pessoais_meses',
        'Apagar dados pessoais de pedidos encerrados após quantos meses (0: nunca)',
        'Erase personal data of ended orders after how many months (0: never)',
      ),
      word('limite_programadas', 'Programadas: requisições por minuto', 'Scheduled: requests a minute'),
      word('limite_entregas', 'Entregas: requisições por minuto', 'Deliveries: requests a minute'),
      word(
        'limite_estimativas',
        'Estimativas, empresas e áreas: requisições por minuto',
        'Estimates, companies, areas: requests a minute',
      ),
      word(
        'limite_recargas_por_empresa',
        'Créditos adicionados, e à parte saques, por empresa: requisições por minuto',
        'Top-ups, and apart withdrawals, per company: requests a minute',
      ),
      word(
        'limite_saldos_por_empresa',
        'Saldos por empresa: requisições por minuto',
        'Balances per company: requests a minute',
      ),
      word('limite_operacao', 'Operação: requisições por minuto', 'Operation: requests a minute'),
      word('limite_posicoes', 'Posições de entregadores por minuto', 'Positions of drivers a minute'),
    ],
  },
];

const known = new Set(settingGroups.flatMap(({ settings }) => settings.map(({ name }) => name)));

/** Settings without a label here, such as new ones, shown under their names so that they can be changed. */
export const unnamedSettings = (names: readonly string[]): SettingWords[] =>
  names.filter((name) => !known.has(name)).map((name) => word(name, name, name));

/** Labels for the codes of proof requirements. */
export const proofDemandWords: Readonly<Record<string, { pt: string; en: string }>> = {
  nao: { pt: 'não pedir', en: 'do not ask' },
  opcional: { pt: 'opcional', en: 'optional' },
  obrigatorio: { pt: 'obrigatório', en: 'required' },
};

/** Labels for the codes that settings have as values. */
export const choiceWords: Readonly<Record<string, { pt: string; en: string }>> = {
  ...decisionLabel,
  ...proofDemandWords,
  nenhum: { pt: 'nada, o entregador é pago à parte', en: 'nothing, the driver is paid otherwise' },
  percentual: { pt: 'percentual do preço', en: 'a percentage of the price' },
  tabela: { pt: 'tabela: fixo, por km e por parada', en: 'a table: fixed, per km and per stop' },
  desligado: { pt: 'desligado', en: 'off' },
  sugere: { pt: 'só propor planos', en: 'only propose plans' },
  aplica: { pt: 'propor e aplicar', en: 'propose and apply' },
  oferta: {
    pt: 'oferta de uma corrida, que o entregador aceita',
    en: 'offer of a run, which the driver accepts',
  },
  atribuicao: { pt: 'atribuição, sem perguntar', en: 'assignment, without asking' },
  auto: { pt: 'automático: o que estiver instalado', en: 'automatic: what is installed' },
  off: { pt: 'ninguém', en: 'nobody' },
  estimator: { pt: 'estimador: linha reta com desvio', en: 'estimator: straight line with a detour' },
  roads: { pt: 'ruas importadas', en: 'imported roads' },
  addresses: { pt: 'endereços importados', en: 'imported addresses' },
  valhalla: { pt: 'servidor Valhalla', en: 'Valhalla server' },
  osrm: { pt: 'servidor OSRM', en: 'OSRM server' },
  nominatim: { pt: 'servidor Nominatim', en: 'Nominatim server' },
  photon: { pt: 'servidor Photon', en: 'Photon server' },
  google: { pt: 'Google', en: 'Google' },
  numero: { pt: 'número exato', en: 'the exact number' },
  numero_aproximado: { pt: 'número aproximado', en: 'about the number' },
  rua: { pt: 'rua', en: 'the street' },
  cep: { pt: 'CEP', en: 'the postal code' },
  bairro: { pt: 'bairro', en: 'the district' },
  municipio: { pt: 'município', en: 'the city' },
};
