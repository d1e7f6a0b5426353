import type { Help } from './help.ts';

/** Closings, reports and Pix. */
export const moneyHelp = {
  'nothing-to-close': {
    pt: {
      meaning: 'Não há nada a fechar.',
      when: 'Nenhum lançamento em aberto existe até a data enviada.',
      remedy: 'Escolha uma data posterior, ou espere novos lançamentos.',
    },
    en: {
      meaning: 'There is nothing to close.',
      when: 'No open entry exists up to the date that was sent.',
      remedy: 'Choose a later date, or wait for new entries.',
    },
  },
  'closing-too-large': {
    pt: {
      meaning: 'O fechamento teria lançamentos demais.',
      when: 'Há mais de 5.000 lançamentos em aberto até a data enviada.',
      remedy: 'Feche até uma data anterior, em partes.',
    },
    en: {
      meaning: 'The closing would have too many entries.',
      when: 'There are more than 5,000 open entries up to the date that was sent.',
      remedy: 'Close up to an earlier date, in parts.',
    },
  },
  'closing-paid': {
    pt: {
      meaning: 'O fechamento já está pago.',
      when: 'O pagamento foi registrado antes.',
      remedy: 'Nada a fazer. Consulte o fechamento para ver quando foi pago.',
    },
    en: {
      meaning: 'The closing is already paid.',
      when: 'The payment was recorded earlier.',
      remedy: 'Nothing to do. Read the closing to see when it was paid.',
    },
  },
  'report-period': {
    pt: {
      meaning: 'O período do relatório não é válido.',
      when: 'O fim vem antes do começo, ou o período tem mais de 366 dias.',
      remedy: 'Envie um período que termine no dia do começo ou depois, com até 366 dias.',
    },
    en: {
      meaning: 'The period of the report is not valid.',
      when: 'The end comes before the beginning, or the period has more than 366 days.',
      remedy: 'Send a period that ends on the day it begins or later, of at most 366 days.',
    },
  },
  'report-filters': {
    pt: {
      meaning: 'Este relatório não aceita esses filtros juntos.',
      when: 'Filtros que não combinam foram enviados, como entregador e empresa ao mesmo tempo.',
      remedy: 'Retire um dos filtros.',
    },
    en: {
      meaning: 'This report does not take these filters together.',
      when: 'Filters that do not combine were sent, such as driver and company at the same time.',
      remedy: 'Remove one of the filters.',
    },
  },
  'pix-not-set': {
    pt: {
      meaning: 'A central ainda não tem chave Pix.',
      when: 'Um código Pix foi pedido, e a chave não está nas configurações da central.',
      remedy: 'Informe a chave Pix nas configurações.',
    },
    en: {
      meaning: 'The central has no Pix key yet.',
      when: 'A Pix code was requested, and the key is not in the settings of the central.',
      remedy: 'Set the Pix key in the settings.',
    },
  },
  'pix-credited': {
    pt: {
      meaning: 'O crédito deste Pix já foi lançado.',
      when: 'O mesmo código Pix foi creditado antes.',
      remedy: 'Nada a fazer: um código é creditado uma vez só.',
    },
    en: {
      meaning: 'The credit of this Pix was added already.',
      when: 'The same Pix code was credited earlier.',
      remedy: 'Nothing to do: a code is credited only once.',
    },
  },
  'too-many-pix': {
    pt: {
      meaning: 'A empresa tem códigos Pix demais à espera de pagamento.',
      when: 'Há 200 códigos sem pagamento. Nenhum é trocado por um novo, porque alguém pode estar pagando.',
      remedy: 'Use um dos códigos que já existem. Os mais antigos são esquecidos depois de 30 dias.',
    },
    en: {
      meaning: 'Too many Pix codes of the company await payment.',
      when: 'There are 200 unpaid codes. None is replaced by a new one, because somebody may be paying it.',
      remedy: 'Use one of the codes that exist. The oldest are forgotten after 30 days.',
    },
  },
  'pix-amount': {
    pt: {
      meaning: 'O valor não serve para um Pix.',
      when: 'O valor é zero ou passa de 1.000.000,00.',
      remedy: 'Envie um valor de 0,01 a 1.000.000,00.',
    },
    en: {
      meaning: 'The amount is not one for a Pix.',
      when: 'The amount is zero or above 1,000,000.00.',
      remedy: 'Send an amount from 0.01 to 1,000,000.00.',
    },
  },
} as const satisfies Record<string, Help>;
