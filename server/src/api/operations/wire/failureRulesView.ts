import type { Static } from 'typebox';
import Type from 'typebox';
import type { FailureRules } from '../../../centrals/failureRules.ts';
import { decisionByCode, decisionCode, lastDecisionByCode, lastDecisionCode } from '../../json/codes.ts';
import { nullable } from '../../json/values.ts';
import { code, kind, one, view } from '../../json/view.ts';

const decision = code(decisionCode);
const attemptsMax = kind(
  () => Type.Integer({ minimum: 1, maximum: 10 }),
  (attempts: number) => attempts,
);
const rules = view<FailureRules>()({
  ausente: decision(({ absent }) => absent, 'tentar_depois'),
  endereco_errado: decision((each) => each.wrong_address, 'retornar'),
  recusado: decision(({ refused }) => refused, 'retornar'),
  outro: decision(({ other }) => other, 'retornar'),
  tentativas_max: attemptsMax((each) => each.attemptsMax, 2),
  apos_tentativas: code(lastDecisionCode)(({ afterwards }) => afterwards, 'retornar'),
});
const fields = rules.schema.properties;

/** What follows a failed stop, by the reason. */
export const failureRules = one(rules, (each: FailureRules) => each, {
  description:
    'o que segue quando uma parada falha, por motivo; quantas tentativas, onde se tenta de novo, e o que segue à última',
});

/** A company's deviations from its central's rules. */
export const OwnFailureRulesSchema = nullable(
  Type.Object(
    {
      ausente: Type.Optional(nullable(fields.ausente)),
      endereco_errado: Type.Optional(nullable(fields.endereco_errado)),
      recusado: Type.Optional(nullable(fields.recusado)),
      outro: Type.Optional(nullable(fields.outro)),
      tentativas_max: Type.Optional(nullable(fields.tentativas_max)),
      apos_tentativas: Type.Optional(nullable(fields.apos_tentativas)),
    },
    {
      additionalProperties: false,
      description:
        'o que a empresa quer diferente da central quando uma parada falha; nulo ou ausente: igual',
    },
  ),
);

export const ownFailureRules = kind(
  () => OwnFailureRulesSchema,
  (own: Partial<FailureRules> | null): Static<typeof OwnFailureRulesSchema> =>
    own && {
      ...(own.absent && { ausente: decisionCode[own.absent] }),
      ...(own.wrong_address && { endereco_errado: decisionCode[own.wrong_address] }),
      ...(own.refused && { recusado: decisionCode[own.refused] }),
      ...(own.other && { outro: decisionCode[own.other] }),
      ...(own.attemptsMax && { tentativas_max: own.attemptsMax }),
      ...(own.afterwards && { apos_tentativas: lastDecisionCode[own.afterwards] }),
    },
);

export function parseOwnFailureRules(
  given: Static<typeof OwnFailureRulesSchema> | undefined,
): Partial<FailureRules> | null {
  if (!given) return null;
  const own: Partial<FailureRules> = {
    ...(given.ausente && { absent: decisionByCode[given.ausente] }),
    ...(given.endereco_errado && { wrong_address: decisionByCode[given.endereco_errado] }),
    ...(given.recusado && { refused: decisionByCode[given.recusado] }),
    ...(given.outro && { other: decisionByCode[given.outro] }),
    ...(given.tentativas_max && { attemptsMax: given.tentativas_max }),
    ...(given.apos_tentativas && { afterwards: lastDecisionByCode[given.apos_tentativas] }),
  };
  return Object.keys(own).length > 0 ? own : null;
}
