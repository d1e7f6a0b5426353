import Type from 'typebox';
import { wholeCentral } from '../../../centrals/caller.ts';
import { createCompany } from '../../../money/wallet/createCompany.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../../platform/kernel/documents.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import type { Company } from '../../../registers/companies/company.ts';
import {
  type CompanyValues,
  deleteCompany,
  findCompany,
  listCompanies,
  updateCompany,
} from '../../../registers/companies/companyStore.ts';
import type { ProofDemand } from '../../../registers/companies/proofRules.ts';
import { formatted } from '../../http/formats.ts';
import { proofDemandByCode, proofDemandCode } from '../../json/codes.ts';
import { nullable } from '../../json/values.ts';
import { code, flag, id, text, view } from '../../json/view.ts';
import { register } from '../register.ts';
import { OwnFailureRulesSchema, ownFailureRules, parseOwnFailureRules } from '../wire/failureRulesView.ts';
import { activeField, given, givenIdentifier, nameText, optionalId, optionalText } from '../wire/fields.ts';

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

const demand = code(proofDemandCode, 'nulo: como a central configura').orNull;
const proofDemand = Type.Optional(demand(() => null, null).schema);
const RECORDS_AMOUNT = 'se o valor recebido é registrado; nulo: como a central configura';
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
    nome: nameText(),
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
    comprovante_foto: proofDemand,
    comprovante_assinatura: proofDemand,
    comprovante_nome: proofDemand,
    comprovante_valor: Type.Optional(nullable(Type.Boolean({ description: RECORDS_AMOUNT }))),
    ativa: activeField,
  }),
  bodyExample: example,
  shown: view<Company>()({
    id: id((company) => company.id, '3'),
    nome: text((company) => company.name, example.nome),
    cpf_cnpj: text((company) => company.document, '12345678000195'),
    telefone: text.orNull((company) => company.phone, '5133339012'),
    numero_contrato: text.orNull((company) => company.contractNumber, example.numero_contrato),
    identificador: text.orNull((company) => company.identifier, example.identificador),
    categoria_padrao_id: id.orNull((company) => company.defaultCategoryId, '1'),
    exige_liberacao: flag((company) => company.needsRelease, example.exige_liberacao),
    falha: ownFailureRules((company) => company.failureRules, example.falha),
    texto_ajuda: text.orNull((company) => company.supportText, example.texto_ajuda),
    comprovante_foto: demand((company) => company.proofPhoto, example.comprovante_foto),
    comprovante_assinatura: demand((company) => company.proofSignature, null),
    comprovante_nome: demand((company) => company.proofName, null),
    comprovante_valor: flag.orNull((company) => company.proofAmount, null, RECORDS_AMOUNT),
    ativa: flag((company) => company.active, example.ativa),
  }),
  parse: (body): CompanyValues => ({
    name: plainName(body.nome),
    document: (parseCpf(body.cpf_cnpj) ?? parseCnpj(body.cpf_cnpj))!,
    phone: body.telefone ? parsePhone(body.telefone) : null,
    contractNumber: givenIdentifier(body.numero_contrato),
    identifier: givenIdentifier(body.identificador),
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
  uniqueFields: {
    document: 'cpf_cnpj',
    phone: 'telefone',
    contractNumber: 'numero_contrato',
    identifier: 'identificador',
  },
  store: {
    list: listCompanies,
    find: (tx, centralId, id) => findCompany(tx, wholeCentral(centralId), id),
    insert: createCompany,
    update: updateCompany,
    remove: deleteCompany,
  },
});
