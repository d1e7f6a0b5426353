import type { Help } from './help.ts';

/** Registers, lists and webhooks. */
export const registersHelp = {
  'record-in-use': {
    pt: {
      meaning: 'O registro está em uso e não pode ser excluído.',
      when: 'Entregas, usuários ou outros registros ainda dependem dele.',
      remedy: 'Desative o registro, ou mude o que depende dele antes.',
    },
    en: {
      meaning: 'The record is in use and cannot be deleted.',
      when: 'Deliveries, users or other records still depend on it.',
      remedy: 'Deactivate the record, or change what depends on it first.',
    },
  },
  'record-duplicate': {
    pt: {
      meaning: 'Outro registro já tem este valor.',
      when: 'Um campo que não se repete, como usuário, CNPJ ou código, já existe na central. A mensagem diz qual campo.',
      remedy: 'Use outro valor, ou edite o registro que existe.',
    },
    en: {
      meaning: 'Another record already has this value.',
      when: 'A field that is unique, such as a username, CNPJ or code, exists in the central already. The message names the field.',
      remedy: 'Use another value, or edit the record that exists.',
    },
  },
  'invalid-shape': {
    pt: {
      meaning: 'O contorno da área não é válido.',
      when: 'O GeoJSON não é um polígono fechado e sem cruzamentos, ou é complexo demais. A mensagem traz o motivo e a área.',
      remedy: 'Corrija o contorno em uma ferramenta de mapas e envie de novo.',
    },
    en: {
      meaning: 'The outline of the area is not valid.',
      when: 'The GeoJSON is not a closed polygon without crossings, or is too complex. The message gives the reason and the area.',
      remedy: 'Correct the outline in a map tool and send it again.',
    },
  },
  'areas-too-large': {
    pt: {
      meaning: 'As áreas da central ficariam grandes demais.',
      when: 'Juntas, as áreas passariam de 2 MiB, cerca de 75.000 posições.',
      remedy: 'Simplifique os contornos.',
    },
    en: {
      meaning: 'The areas of the central would become too large.',
      when: 'Together the areas would exceed 2 MiB, about 75,000 positions.',
      remedy: 'Simplify the outlines.',
    },
  },
  'default-area-needed': {
    pt: {
      meaning: 'A central precisa de uma área padrão.',
      when: 'A mudança deixaria a central sem área padrão, havendo outras.',
      remedy: 'Torne outra área a padrão antes.',
    },
    en: {
      meaning: 'The central needs a default area.',
      when: 'The change would leave the central without a default area while it has others.',
      remedy: 'Make another area the default first.',
    },
  },
  'too-many-records': {
    pt: {
      meaning: 'A central chegou ao máximo de registros deste tipo.',
      when: 'Cada cadastro tem um limite, que a mensagem traz.',
      remedy: 'Exclua os registros que não são mais usados.',
    },
    en: {
      meaning: 'The central has reached the maximum of records of this kind.',
      when: 'Each register has a limit, which the message gives.',
      remedy: 'Delete the records that are no longer used.',
    },
  },
  'too-many-addresses': {
    pt: {
      meaning: 'A empresa chegou ao máximo de endereços salvos.',
      when: 'Uma empresa guarda até 200 endereços.',
      remedy: 'Exclua os que não são mais usados.',
    },
    en: {
      meaning: 'The company has reached the maximum of saved addresses.',
      when: 'A company keeps at most 200 addresses.',
      remedy: 'Delete those that are no longer used.',
    },
  },
  'cursor-not-valid': {
    pt: {
      meaning: 'O cursor não serve para esta consulta.',
      when: 'O cursor foi cortado ou alterado, ou é de uma consulta com outros filtros ou outra ordem.',
      remedy: 'Comece da primeira página, sem cursor.',
    },
    en: {
      meaning: 'The cursor is not one of this query.',
      when: 'The cursor was cut or changed, or belongs to a query with other filters or another order.',
      remedy: 'Begin with the first page, without a cursor.',
    },
  },
  'view-name-taken': {
    pt: {
      meaning: 'Já existe uma visão desta lista com este nome.',
      when: 'O mesmo usuário salvou antes uma visão com este nome.',
      remedy: 'Escolha outro nome, ou altere a visão que existe.',
    },
    en: {
      meaning: 'A view of this list with this name exists already.',
      when: 'The same user has saved a view with this name before.',
      remedy: 'Choose another name, or change the view that exists.',
    },
  },
  'too-many-views': {
    pt: {
      meaning: 'O usuário salvou visões demais.',
      when: 'Cada usuário guarda até 50 visões.',
      remedy: 'Exclua uma que não use mais.',
    },
    en: {
      meaning: 'The user has saved too many views.',
      when: 'Each user keeps at most 50 views.',
      remedy: 'Delete one that is no longer used.',
    },
  },
  'too-many-webhooks': {
    pt: {
      meaning: 'Não cabe mais um webhook.',
      when: 'A central ou a empresa já tem 20 webhooks.',
      remedy: 'Exclua um que não seja mais usado, ou acrescente os tipos de evento a um que existe.',
    },
    en: {
      meaning: 'There is no room for another webhook.',
      when: 'The central or the company already has 20 webhooks.',
      remedy: 'Delete one that is no longer used, or add the event types to one that exists.',
    },
  },
  'webhook-asleep': {
    pt: {
      meaning: 'O webhook não está recebendo eventos.',
      when: 'Um teste foi pedido para um webhook inativo ou pausado depois de muitas falhas.',
      remedy: 'Reative o webhook e teste de novo.',
    },
    en: {
      meaning: 'The webhook is not receiving events.',
      when: 'A test was requested for a webhook that is inactive, or paused after many failures.',
      remedy: 'Reactivate the webhook and test again.',
    },
  },
  'message-outdated': {
    pt: {
      meaning: 'Uma posição antiga não é enviada de novo.',
      when: 'O envio é de uma posição do entregador, que só vale por pouco tempo.',
      remedy: 'Consulte a posição atual do entregador.',
    },
    en: {
      meaning: 'An old position is not sent again.',
      when: 'The message is a position of the driver, which is of use for a short time only.',
      remedy: 'Read the current position of the driver.',
    },
  },
  'replay-too-large': {
    pt: {
      meaning: 'O período tem envios demais para uma requisição.',
      when: 'Mais de 5.000 envios cairiam no período a reenviar.',
      remedy: 'Divida o período em partes menores.',
    },
    en: {
      meaning: 'The period has too many messages for one request.',
      when: 'More than 5,000 messages would be sent again for the period.',
      remedy: 'Divide the period into smaller parts.',
    },
  },
} as const satisfies Record<string, Help>;
