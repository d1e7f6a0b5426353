import Type from 'typebox';
import { wholeCentral } from '../../centrals/caller.ts';
import type { Company } from '../../companies/company.ts';
import {
  type CompanyValues,
  deleteCompany,
  findCompany,
  insertCompany,
  listCompanies,
  updateCompany,
} from '../../companies/companyStore.ts';
import type { ProofDemand } from '../../companies/proofRules.ts';
import { formatted } from '../../http/formats.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../kernel/documents.ts';
import { proofDemandByCode, proofDemandCode } from '../../wire/codes.ts';
import { nullable } from '../../wire/values.ts';
import { register } from '../register.ts';
import { formatOwnFailureRules, OwnFailureRulesSchema, parseOwnFailureRules } from '../wire/failureRules.ts';
import { activeField, given, optionalId, optionalText, recordId, requiredText } from '../wire/fields.ts';

const example = {
  nome: 'Livraria Bom Fim',
  cpf_cnpj: '12.345.678/0001-95',
  telefone: '(51) 3333-9012',
  numero_contrato: 'C-1003',
  identificador: 'livraria-bom-fim',
  categoria_padrao_id: 1,
  exige_liberacao: false,
  falha: { recusado: 'deixar_no_fim' } as const,
  texto_ajuda: '(51) 3333-9012',
  comprovante_foto: 'obrigatorio' as const,
  comprovante_assinatura: null,
  comprovante_nome: null,
  comprovante_valor: null,
  ativa: true,
};

const proofDemand = nullable(
  Type.Enum(Object.values(proofDemandCode), { description: 'nulo: como a central configura' }),
);
const recordsAmount = nullable(
  Type.Boolean({ description: 'se o valor recebido é registrado; nulo: como a central configura' }),
);
const parseDemand = (code: keyof typeof proofDemandByCode | null | undefined): ProofDemand | null =>
  code ? proofDemandByCode[code] : null;

export const companyEndpoints = register({
  path: '/empresas',
  permissions: { read: 'registers-read', write: 'companies' },
  audit: { subject: 'company', nameOf: ({ name }) => name },
  records: 'companies',
  tag: 'Operação: empresas',
  nouns: { one: 'uma empresa', all: 'as empresas' },
  description:
    'Empresas que pedem entregas por conta. Cada uma tem a própria carteira de créditos. CPF ou CNPJ, telefone, ' +
    'número do contrato e identificador não se repetem na central.',
  notFound: 'company-not-found',
  refusals: ['category-not-found'],
  body: Type.Object({
    nome: requiredText(),
    cpf_cnpj: formatted('cpf-cnpj', 'com ou sem pontuação'),
    telefone: Type.Optional(nullable(formatted('phone'))),
    numero_contrato: optionalText(100),
    identificador: optionalText(100),
    categoria_padrao_id: optionalId,
    exige_liberacao: Type.Optional(
      Type.Boolean({ default: false, description: 'as entregas da empresa aguardam liberação da central' }),
    ),
    falha: Type.Optional(OwnFailureRulesSchema),
    texto_ajuda: optionalText(200),
    comprovante_foto: Type.Optional(proofDemand),
    comprovante_assinatura: Type.Optional(proofDemand),
    comprovante_nome: Type.Optional(proofDemand),
    comprovante_valor: Type.Optional(recordsAmount),
    ativa: activeField,
  }),
  bodyExample: example,
  shown: Type.Object({
    id: recordId,
    nome: Type.String(),
    cpf_cnpj: Type.String(),
    telefone: nullable(Type.String()),
    numero_contrato: nullable(Type.String()),
    identificador: nullable(Type.String()),
    categoria_padrao_id: nullable(recordId),
    exige_liberacao: Type.Boolean(),
    falha: OwnFailureRulesSchema,
    texto_ajuda: nullable(Type.String()),
    comprovante_foto: proofDemand,
    comprovante_assinatura: proofDemand,
    comprovante_nome: proofDemand,
    comprovante_valor: recordsAmount,
    ativa: Type.Boolean(),
  }),
  shownExample: { id: 3, ...example, cpf_cnpj: '12345678000195', telefone: '5133339012' },
  parse: (body): CompanyValues => ({
    name: body.nome,
    document: (parseCpf(body.cpf_cnpj) ?? parseCnpj(body.cpf_cnpj))!,
    phone: body.telefone ? parsePhone(body.telefone) : null,
    contractNumber: given(body.numero_contrato),
    identifier: given(body.identificador),
    defaultCategoryId: body.categoria_padrao_id ?? null,
    needsRelease: body.exige_liberacao ?? false,
    failureRules: parseOwnFailureRules(body.falha),
    supportText: given(body.texto_ajuda),
    proofPhoto: parseDemand(body.comprovante_foto),
    proofSignature: parseDemand(body.comprovante_assinatura),
    proofName: parseDemand(body.comprovante_nome),
    proofAmount: body.comprovante_valor ?? null,
    active: body.ativa ?? null,
  }),
  format: (company: Company) => ({
    id: company.id,
    nome: company.name,
    cpf_cnpj: company.document,
    telefone: company.phone,
    numero_contrato: company.contractNumber,
    identificador: company.identifier,
    categoria_padrao_id: company.defaultCategoryId,
    exige_liberacao: company.needsRelease,
    falha: formatOwnFailureRules(company.failureRules),
    texto_ajuda: company.supportText,
    comprovante_foto: company.proofPhoto && proofDemandCode[company.proofPhoto],
    comprovante_assinatura: company.proofSignature && proofDemandCode[company.proofSignature],
    comprovante_nome: company.proofName && proofDemandCode[company.proofName],
    comprovante_valor: company.proofAmount,
    ativa: company.active,
  }),
  uniqueFields: {
    document: 'cpf_cnpj',
    phone: 'telefone',
    contractNumber: 'numero_contrato',
    identifier: 'identificador',
  },
  store: {
    list: listCompanies,
    find: (tx, centralId, id) => findCompany(tx, wholeCentral(centralId), id),
    insert: insertCompany,
    update: updateCompany,
    remove: deleteCompany,
  },
});
