import type { Help } from './help.ts';

/** Plans. */
export const plansHelp = {
  'plan-not-found': {
    pt: {
      meaning: 'Não há um plano com este id na central.',
      when: 'O id está errado, é de outra central, ou o plano tem mais de um dia.',
      remedy: 'Calcule outro plano.',
    },
    en: {
      meaning: 'There is no plan with this id in the central.',
      when: 'The id is wrong, belongs to another central, or the plan is more than a day old.',
      remedy: 'Compute another plan.',
    },
  },
  'plan-not-ready': {
    pt: {
      meaning: 'O plano ainda não pode ser aplicado.',
      when: 'Ele ainda está sendo calculado, ou o cálculo falhou.',
      remedy: 'Acompanhe o plano até que fique pronto; se falhou, calcule outro.',
    },
    en: {
      meaning: 'The plan cannot be applied yet.',
      when: 'It is still being computed, or the computation failed.',
      remedy: 'Follow the plan until it is ready; if it failed, compute another one.',
    },
  },
  'plan-not-applied': {
    pt: {
      meaning: 'Não há o que desfazer.',
      when: 'O plano não foi aplicado, ou o que foi aplicado já foi desfeito.',
      remedy: 'Nada precisa ser feito.',
    },
    en: {
      meaning: 'There is nothing to undo.',
      when: 'The plan was not applied, or what was applied has been undone already.',
      remedy: 'Nothing has to be done.',
    },
  },
  'plan-undo-over': {
    pt: {
      meaning: 'O prazo para desfazer terminou.',
      when: 'O plano foi aplicado há mais de um minuto.',
      remedy: 'Passe cada entrega para outro entregador, ou segure-a.',
    },
    en: {
      meaning: 'The time to undo is over.',
      when: 'The plan was applied more than a minute ago.',
      remedy: 'Reassign each delivery, or hold it.',
    },
  },
  'too-many-plans': {
    pt: {
      meaning: 'A central calcula planos demais ao mesmo tempo.',
      when: 'Outros planos da mesma central ainda não ficaram prontos.',
      remedy: 'Espere alguns segundos e repita.',
    },
    en: {
      meaning: 'The central computes too many plans at the same time.',
      when: 'Other plans of the same central are not ready yet.',
      remedy: 'Wait some seconds and repeat.',
    },
  },
} satisfies Record<string, Help>;
