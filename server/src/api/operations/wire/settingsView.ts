import type { TSchema } from 'typebox';
import Type from 'typebox';
import { type Central, type Settings, SettingsSchema, settingsDefaults } from '../../../centrals/central.ts';
import { isPixKey } from '../../../money/billing/brCode.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { formatted } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import {
  decisionCode,
  lastDecisionCode,
  planByCode,
  planningCode,
  precisionCode,
  proofDemandCode,
  shareKindCode,
} from '../../json/codes.ts';
import { nameText } from './fields.ts';

/** The external name and the description of each setting. */
const settingWords: Record<keyof Settings, [name: string, description: string]> = {
  brandColor: ['cor', 'cor da central no que os destinatários veem, #rrggbb'],
  supportText: ['texto_ajuda', 'como o destinatário pede ajuda'],
  trackingHoursAfterEnd: ['horas_rastreio_apos_fim', 'validade do link de rastreio após o fim'],
  confirmationCode: ['exige_codigo_confirmacao', 'a parada só é concluída com o código do destinatário'],
  failureAbsent: ['falha_ausente', 'o que segue quando não há ninguém no local'],
  failureWrongAddress: ['falha_endereco_errado', 'o que segue quando o endereço está errado'],
  failureRefused: ['falha_recusado', 'o que segue quando o destinatário recusa'],
  failureOther: ['falha_outro', 'o que segue quando a entrega de uma parada falha por outro motivo'],
  failureAttemptsMax: [
    'falha_tentativas_max',
    'quantas vezes a mesma parada é tentada em uma corrida, onde se tenta de novo',
  ],
  failureAfterwards: ['falha_apos_tentativas', 'o que segue à última tentativa'],
  proofPhoto: ['comprovante_foto', 'foto da entrega em cada parada; uma empresa pode ter a própria regra'],
  proofSignature: [
    'comprovante_assinatura',
    'assinatura de quem recebe; uma empresa pode ter a própria regra',
  ],
  proofName: ['comprovante_nome', 'nome de quem recebe; uma empresa pode ter a própria regra'],
  proofAmount: ['comprovante_valor', 'o valor recebido é registrado onde há valor a cobrar'],
  proofOnTracking: ['comprovante_no_rastreio', 'o destinatário vê a foto da entrega na página de rastreio'],
  cancelAwaitingScheduled: [
    'permite_cancelar_programada_aguardando',
    'a integração pode cancelar uma programada que ainda aguarda disparo',
  ],
  managerTopUp: [
    'permite_gerente_recarregar',
    'o gerente de uma empresa pode recarregar a própria carteira; desligado, só a central recarrega',
  ],
  operatorsRunDayOnly: [
    'operadores_so_conduzem_o_dia',
    'operadores só conduzem o dia: tarifas, usuários, chaves, configurações, fechamentos e saldos ficam com ' +
      'supervisores e financeiro; exige um supervisor ativo',
  ],
  wrongCouponsMax: [
    'cupons_invalidos_max',
    'quantos cupons inválidos um usuário pode informar em 15 minutos antes de ter cupons recusados',
  ],
  quoteMinutes: ['cotacao_minutos', 'por quanto tempo vale o preço de uma cotação'],
  releaseRequired: ['exige_liberacao', 'toda entrega nova aguarda liberação da central'],
  cancellationFeeCents: ['taxa_cancelamento_centavos', 'cobrada ao cancelar depois do aceite; 0 desliga'],
  shareKind: [
    'repasse_tipo',
    'o que o entregador ganha de cada entrega, onde a tarifa não diz outra coisa: nada, um percentual do preço ou uma tabela',
  ],
  sharePercent: ['repasse_percentual', 'do preço antes do cupom, para o tipo percentual'],
  shareBaseCents: ['repasse_fixo_centavos', 'por entrega, para o tipo tabela'],
  sharePerKmCents: ['repasse_por_km_centavos', 'por km previsto, para o tipo tabela'],
  sharePerStopCents: ['repasse_por_parada_centavos', 'por parada, para o tipo tabela'],
  pixKey: [
    'pix_chave',
    'chave Pix que recebe das empresas: CPF, CNPJ, telefone com DDD, e-mail ou aleatória',
  ],
  pixReceiver: ['pix_nome', 'nome do recebedor nos códigos Pix; vazio: o da central'],
  pixCity: ['pix_cidade', 'cidade do recebedor nos códigos Pix'],
  offerSeconds: ['oferta_segundos', 'tempo do entregador para responder a uma oferta'],
  offersAtOnce: ['ofertas_simultaneas', 'a quantos entregadores uma entrega é oferecida ao mesmo tempo'],
  searchMetresMax: ['busca_metros_max', 'distância em linha reta do entregador à partida'],
  searchAgainSeconds: ['busca_intervalo_segundos', 'intervalo entre buscas sem resultado'],
  searchLimitMinutes: ['busca_limite_minutos', 'depois disso a entrega fica como não atendida'],
  positionMinutesMax: [
    'posicao_minutos_max',
    'idade máxima da posição de um entregador para receber ofertas',
  ],
  nextPickupMetresMax: [
    'proxima_coleta_metros_max',
    'da última parada à próxima partida da mesma empresa; 0 desliga',
  ],
  takeFromList: [
    'permite_pegar_da_lista',
    'um entregador em serviço pode aceitar uma entrega que não lhe foi oferecida, de uma categoria sua',
  ],
  takeMetresMax: [
    'lista_metros_max',
    'distância em linha reta do entregador à partida do que ele pega da lista',
  ],
  takeWaitingMax: [
    'lista_em_espera_max',
    'quantas entregas podem esperar pelo entregador que pega da lista; 0: só quem está livre pega',
  ],
  autoMerge: ['agrupamento_automatico', 'agrupa programadas da mesma empresa e partida antes do disparo'],
  mergeWindowMinutes: ['agrupamento_janela_minutos', 'diferença máxima entre os disparos de um grupo'],
  mergeLeadSeconds: [
    'agrupamento_antecedencia_segundos',
    'quanto antes do primeiro disparo o grupo é formado',
  ],
  mergeSavingPercentMin: ['agrupamento_economia_percentual_min', 'economia de tempo que justifica um grupo'],
  mergeRouteMinutesMax: ['agrupamento_rota_minutos_max', 'duração máxima da rota de um grupo'],
  planning: [
    'planejamento',
    'planejamento contínuo do que espera por um entregador: desligado, só propõe planos, ou também os aplica',
  ],
  planAfterSeconds: ['planejamento_espera_segundos', 'há quanto tempo uma entrega espera para entrar nele'],
  planBy: [
    'plano_chega_como',
    'como um plano aplicado chega aos entregadores: oferta de uma corrida, ou atribuição sem perguntar',
  ],
  planAboardMax: [
    'plano_a_bordo_max',
    'quantas entregas um entregador leva ao mesmo tempo em um plano; as etapas seguem uma entrega de cada vez',
  ],
  simulatedCouriers: ['simula_condutores', 'entregadores simulados se movem sozinhos, para testes'],
  simulationSpeed: ['simulacao_velocidade', 'quantas vezes mais rápidos que os reais'],
  simulatedFriday: ['simulacao_sexta', 'na demonstração: pedidos e entregadores de uma sexta-feira à noite'],
  routing: ['roteirizacao', 'quem conhece as ruas'],
  geocoding: [
    'geocodificacao',
    'quem encontra endereços enviados sem coordenadas; auto usa os endereços importados, se houver',
  ],
  addressPrecision: [
    'endereco_precisao_minima',
    'um endereço sem coordenadas encontrado com menos precisão é recusado',
  ],
  acceptUnsureAddresses: [
    'aceita_endereco_impreciso',
    'em vez de recusado, o endereço é aceito e marcado para conferência',
  ],
  browserOrigins: [
    'origens_navegador',
    'páginas destas origens podem chamar o serviço pelo navegador, com api-key e usuário (CORS); vazia: nenhuma',
  ],
  estimatorInterceptMetres: ['estimador_acrescimo_metros', 'somado a cada trecho em linha reta'],
  estimatorDetourPercent: ['estimador_desvio_percentual', 'caminho em relação à linha reta'],
  estimatorKmPerHour: ['estimador_km_por_hora', 'velocidade média do estimador'],
  eventsKeptDays: ['eventos_guardados_dias', 'depois disso eventos e envios de webhooks são descartados'],
  requestsSampledOneIn: [
    'requisicoes_amostra_uma_em',
    'além das recusadas, uma em tantas requisições é registrada; 0: somente as recusadas',
  ],
  requestsKeptDays: [
    'requisicoes_guardadas_dias',
    'depois disso as requisições registradas são descartadas; 0: nenhuma é registrada',
  ],
  personalDataMonths: [
    'dados_pessoais_meses',
    'quantos meses após o fim nomes, telefones, números de porta e observações são apagados; 0 guarda sempre',
  ],
  limitScheduled: ['limite_programadas', 'requisições em 60 segundos'],
  limitDeliveries: ['limite_entregas', 'requisições em 60 segundos'],
  limitEstimates: ['limite_estimativas', 'requisições em 60 segundos; também empresas e áreas'],
  limitTopUpsPerCompany: [
    'limite_recargas_por_empresa',
    'requisições em 60 segundos; o mesmo vale, à parte, para saques',
  ],
  limitBalancesPerCompany: ['limite_saldos_por_empresa', 'requisições em 60 segundos'],
  limitOperations: ['limite_operacao', 'requisições em 60 segundos, sem as posições'],
  limitPositions: ['limite_posicoes', 'posições de entregadores em 60 segundos'],
};
const settingNames = Object.keys(settingWords) as (keyof Settings)[];

/** Settings whose values have other external names. */
const settingCodes: Partial<Record<keyof Settings, Record<string, string>>> = {
  addressPrecision: precisionCode,
  shareKind: shareKindCode,
  planning: planningCode,
  planBy: planByCode,
  failureAbsent: decisionCode,
  failureWrongAddress: decisionCode,
  failureRefused: decisionCode,
  failureOther: decisionCode,
  failureAfterwards: lastDecisionCode,
  proofPhoto: proofDemandCode,
  proofSignature: proofDemandCode,
  proofName: proofDemandCode,
};

const settingFields: Record<string, TSchema> = Object.fromEntries(
  settingNames.map((name) => {
    const [wire, description] = settingWords[name];
    const codes = settingCodes[name];
    const schema = codes
      ? Type.Enum(Object.values(codes), { default: codes[String(settingsDefaults[name])]! })
      : SettingsSchema.properties[name];
    return [
      wire,
      { ...schema, ...(name === 'browserOrigins' && { items: formatted('origin') }), description },
    ];
  }),
);

const toCode = (name: keyof Settings, value: unknown): unknown =>
  settingCodes[name]?.[String(value)] ?? value;

const fromCode = (name: keyof Settings, value: unknown): unknown =>
  Object.entries(settingCodes[name] ?? {}).find(([, code]) => code === value)?.[0] ?? value;

const centralFields = {
  nome: nameText(),
  fuso_horario: formatted('time-zone', 'como America/Sao_Paulo'),
};

/** Omitted settings keep their values; unknown names are refused. */
export const SettingsBody: TSchema = Type.Object(
  Object.fromEntries(
    Object.entries({ ...centralFields, ...settingFields }).map(([name, schema]) => [
      name,
      Type.Optional(schema),
    ]),
  ),
  { additionalProperties: false, check: checkPixKey },
);

/** Checks only a key that is sent: an invalid stored key stays readable, and does not block other settings. */
function checkPixKey({ pix_chave: key }: Readonly<Record<string, unknown>>): Problem[] {
  if (typeof key !== 'string' || key.trim() === '' || isPixKey(key)) return [];
  return [
    {
      field: 'pix_chave',
      pt: 'deve ser um CPF ou CNPJ válido, um telefone com DDD, um e-mail ou uma chave aleatória',
      en: 'must be a valid CPF or CNPJ, a phone with its area code, an e-mail or a random key',
    },
  ];
}

export const SettingsShown: TSchema = Type.Object({
  nome: Type.String(),
  fuso_horario: Type.String(),
  ...settingFields,
});

export const formatSettings = ({ name, timeZone, settings }: Central): Record<string, unknown> => ({
  nome: name,
  fuso_horario: timeZone,
  ...Object.fromEntries(settingNames.map((each) => [settingWords[each][0], toCode(each, settings[each])])),
});

export const settingsExample = formatSettings({
  id: 1,
  name: 'Central Demonstração',
  timeZone: 'America/Sao_Paulo',
  active: true,
  settings: settingsDefaults,
});

/** The central with the values of the body, which was checked against SettingsBody. */
export function mergeSettings(central: Central, body: Readonly<Record<string, unknown>>): Central {
  const given = settingNames
    .map((name) => [name, body[settingWords[name][0]]] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, fromCode(name, value)] as const);
  return {
    ...central,
    name: plainName((body.nome as string | undefined) ?? central.name),
    timeZone: (body.fuso_horario as string | undefined) ?? central.timeZone,
    settings: { ...central.settings, ...Object.fromEntries(given) },
  };
}
