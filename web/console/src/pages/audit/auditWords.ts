import { ROLE_LABELS } from '../../../../../server/src/api/json/labels.ts';
import {
  formatDay,
  formatDocument,
  formatMoney,
  formatPhone,
  toBrazilianDate,
} from '../../../../shared/formats.ts';
import type { Answer } from '../../api.ts';
import { isEventType, wordsOfEvent } from '../../data/webhooks.ts';
import { fieldLabel } from '../../fieldLabels.ts';
import { choiceWords, settingGroups } from '../settings/settingGroups.ts';
import { isOutline, outlineWords } from './outlineWords.ts';

export type Change = Answer<'operacao', 'GET /auditoria'>['alteracoes'][number];

interface Words {
  pt: string;
  en: string;
}

export const subjectWords: Record<Change['tipo'], Words> = {
  configuracoes: { pt: 'Configurações', en: 'Settings' },
  usuario: { pt: 'Usuário', en: 'User' },
  chave: { pt: 'Chave de acesso', en: 'Access key' },
  programa: { pt: 'Credencial de programa', en: 'Program’s credential' },
  categoria: { pt: 'Categoria', en: 'Category' },
  tarifa: { pt: 'Tarifa', en: 'Tariff' },
  area: { pt: 'Área de atuação', en: 'Operating area' },
  cupom: { pt: 'Cupom', en: 'Coupon' },
  motivo_cancelamento: { pt: 'Motivo de cancelamento', en: 'Cancellation reason' },
  empresa: { pt: 'Empresa', en: 'Company' },
  condutor: { pt: 'Entregador', en: 'Driver' },
  aparelho: { pt: 'Telefone do entregador', en: 'Driver’s phone' },
  carteira: { pt: 'Carteira da empresa', en: 'Company’s wallet' },
  conta_condutor: { pt: 'Conta do entregador', en: 'Driver’s account' },
  fechamento: { pt: 'Fechamento', en: 'Closing' },
  webhook: { pt: 'Webhook', en: 'Webhook' },
  endereco: { pt: 'Endereço corrigido', en: 'Corrected address' },
  proposta_endereco: { pt: 'Endereço proposto por entregador', en: 'Address proposed by a driver' },
  central: { pt: 'Central', en: 'Central' },
  dados_pessoais: { pt: 'Dados pessoais', en: 'Personal data' },
  ambiente_de_teste: { pt: 'Ambiente de teste', en: 'Test environment' },
};

export const actionWords: Record<Change['acao'], Words> = {
  criado: { pt: 'criação', en: 'created' },
  alterado: { pt: 'alteração', en: 'changed' },
  excluido: { pt: 'exclusão', en: 'deleted' },
};

export const roleWords: Record<NonNullable<Change['perfil']>, Words> = ROLE_LABELS;

/** Fields of the log that no form has. */
const OWN_LABELS: Readonly<Record<string, Words>> = {
  saldo: { pt: 'Saldo', en: 'Balance' },
  dinheiro_a_entregar: { pt: 'Dinheiro a entregar', en: 'Cash to hand in' },
  lancamento_id: { pt: 'Lançamento nº', en: 'Entry no.' },
  total: { pt: 'Total', en: 'Total' },
  pago_em: { pt: 'Pago em', en: 'Paid' },
  revogada_em: { pt: 'Revogada em', en: 'Revoked' },
  revogado_em: { pt: 'Revogado em', en: 'Revoked' },
  token: { pt: 'Token', en: 'Token' },
  token_anterior_ate: { pt: 'Token anterior até', en: 'Old token until' },
  permissoes: { pt: 'Permissões', en: 'Permissions' },
  expira_em: { pt: 'Expira em', en: 'Expires' },
  importadas: { pt: 'Áreas importadas', en: 'Imported areas' },
  fuso_horario: { pt: 'Fuso horário', en: 'Time zone' },
  segredo: { pt: 'Segredo', en: 'Secret' },
  url: { pt: 'Endereço completo', en: 'Full address' },
  endereco: { pt: 'Servidor', en: 'Server' },
  geometria: { pt: 'Contorno', en: 'Outline' },
  usos: { pt: 'Usos', en: 'Uses' },
  convite_ate: { pt: 'Convite até', en: 'Invitation until' },
  aparelho: { pt: 'Aparelho', en: 'Phone' },
  lat: { pt: 'Latitude', en: 'Latitude' },
  lng: { pt: 'Longitude', en: 'Longitude' },
  entregas: { pt: 'Entregas', en: 'Deliveries' },
  programadas: { pt: 'Programadas', en: 'Scheduled deliveries' },
  paradas: { pt: 'Paradas', en: 'Stops' },
  pessoas: { pt: 'Pessoas', en: 'People' },
  observacoes: { pt: 'Observações', en: 'Notes' },
  enderecos_favoritos: { pt: 'Endereços guardados', en: 'Kept addresses' },
};

const settingLabels = new Map(
  settingGroups.flatMap(({ settings }) => settings.map((each) => [each.name, each])),
);

const MONEY = new Set(['saldo', 'dinheiro_a_entregar', 'total', 'bandeirada', 'minimo', 'por_parada']);

type Language = 'pt' | 'en';

function labelOf({ tipo }: Change, name: string, language: Language): string {
  const setting = tipo === 'configuracoes' ? settingLabels.get(name) : undefined;
  const words = setting ?? OWN_LABELS[name];
  return words ? words[language] : (fieldLabel(name, language) ?? name.replaceAll('_', ' '));
}

/** What is needed to show the values of the log. */
export interface Reading {
  language: Language;
  zone: string;
  /** For each field with ids, the name of each id: { categorias: { 1: 'Moto' } }. */
  names: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A value in words; null if this side of the change has none. */
function inWords(name: string, value: unknown, reading: Reading): string | null {
  const { language, names } = reading;
  const say = (pt: string, en: string) => (language === 'pt' ? pt : en);
  if (value === undefined) return null;
  if (value === null || value === '') return say('vazio', 'empty');
  if (typeof value === 'boolean') return value ? say('sim', 'yes') : say('não', 'no');
  const named = names[name]?.[String(value)];
  if (named !== undefined) return named;
  if (typeof value === 'number') return value.toLocaleString(language === 'pt' ? 'pt-BR' : 'en');
  if (typeof value === 'string') return textOf(name, value, reading);
  if (Array.isArray(value))
    return value.length === 0 ? say('—', '—') : value.map((each) => inWords(name, each, reading)).join(', ');
  if (isOutline(value)) return outlineWords(value, language);
  if ('sha256' in (value as object)) return say('outro', 'another');
  return Object.entries(value as object)
    .map(
      ([field, inner]) =>
        `${fieldLabel(field, language) ?? field.replaceAll('_', ' ')} ${inWords(field, inner, reading)}`,
    )
    .join(', ');
}

function textOf(name: string, value: string, { language, zone }: Reading): string {
  if (MONEY.has(name) && /^-?\d+(\.\d+)?$/.test(value)) return formatMoney(value);
  if (/^-?\d+\.\d+$/.test(value)) return language === 'pt' ? value.replace('.', ',') : value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return toBrazilianDate(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return formatDay(Date.parse(value), zone, language);
  if (name === 'telefone') return formatPhone(value);
  if (name === 'cpf_cnpj') return formatDocument(value);
  if (isEventType(value)) return wordsOfEvent(value)[language];
  return choiceWords[value]?.[language] ?? roleWords[value as keyof typeof roleWords]?.[language] ?? value;
}

/** The changed fields with the labels of the forms, before and after. */
export const changedFields = (change: Change, reading: Reading) =>
  [...new Set([...Object.keys(change.antes), ...Object.keys(change.depois)])].map((name) => ({
    name,
    label: labelOf(change, name, reading.language),
    before: inWords(name, (change.antes as Record<string, unknown>)[name], reading),
    after: inWords(name, (change.depois as Record<string, unknown>)[name], reading),
  }));
