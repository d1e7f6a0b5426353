import type { Help } from './help.ts';

/** What is absent, or outside the scope of the caller. */
export const missingHelp = {
  'delivery-not-found': {
    pt: {
      meaning: 'A entrega não existe para este usuário.',
      when: 'O id não existe na central, ou a entrega é de outra empresa ou de outro entregador. A resposta é a mesma.',
      remedy: 'Confira o id e o usuário. Uma programada tem outro id antes do disparo.',
    },
    en: {
      meaning: 'The delivery does not exist for this login.',
      when: 'The id does not exist in the central, or the delivery belongs to another company or driver. The answer is the same.',
      remedy: 'Check the id and the login. A scheduled delivery has another id before its dispatch.',
    },
  },
  'scheduled-not-found': {
    pt: {
      meaning: 'A entrega programada não existe para este usuário.',
      when: 'O id não existe na central, ou a programada é de outra empresa.',
      remedy: 'Confira o id: o da programada não é o da entrega que ela gera no disparo.',
    },
    en: {
      meaning: 'The scheduled delivery does not exist for this login.',
      when: 'The id does not exist in the central, or the scheduled delivery belongs to another company.',
      remedy:
        'Check the id: that of the scheduled delivery is not that of the delivery made at its dispatch.',
    },
  },
  'stop-not-found': {
    pt: {
      meaning: 'A parada não pertence a esta entrega.',
      when: 'O id da parada não existe nesta entrega ou programada: foi excluída, recriada por uma edição, ou passou para outra entrega por um agrupamento.',
      remedy: 'Consulte a entrega de novo e use o id que ela mostra.',
    },
    en: {
      meaning: 'The stop does not belong to this delivery.',
      when: 'The stop id does not exist in this delivery or scheduled delivery: it was removed, made anew by an edit, or moved to another delivery by a grouping.',
      remedy: 'Read the delivery again and use the id that it shows.',
    },
  },
  'company-not-found': {
    pt: {
      meaning: 'A empresa não existe para este usuário.',
      when: 'Nenhuma empresa da central tem este id ou esta identificação, ou o gerente pediu a empresa de outro.',
      remedy: 'Confira o id, ou o tipo e o valor da identificação.',
    },
    en: {
      meaning: 'The company does not exist for this login.',
      when: 'No company of the central has this id or identification, or a manager asked for another company.',
      remedy: 'Check the id, or the type and value of the identification.',
    },
  },
  'company-ambiguous': {
    pt: {
      meaning: 'A identificação serve para mais de uma empresa.',
      when: 'O telefone ou outro dado enviado pertence a duas empresas da central.',
      remedy: 'Identifique a empresa de outra forma, como pelo CNPJ.',
    },
    en: {
      meaning: 'The identification fits more than one company.',
      when: 'The phone or other value that was sent belongs to two companies of the central.',
      remedy: 'Identify the company in another way, such as by its CNPJ.',
    },
  },
  'company-address-not-found': {
    pt: {
      meaning: 'A empresa não tem este endereço salvo.',
      when: 'O id do endereço não existe nesta empresa, ou o endereço foi excluído.',
      remedy: 'Liste os endereços da empresa e use um id que ela tenha.',
    },
    en: {
      meaning: 'The company has not saved this address.',
      when: 'The address id does not exist in this company, or the address was deleted.',
      remedy: 'List the addresses of the company and use an id that it has.',
    },
  },
  'driver-not-found': {
    pt: {
      meaning: 'O entregador não existe nesta central.',
      when: 'O id não existe, ou um entregador pediu os dados de outro.',
      remedy: 'Confira o id na lista de entregadores.',
    },
    en: {
      meaning: 'The driver does not exist in this central.',
      when: 'The id does not exist, or a driver asked for the data of another.',
      remedy: 'Check the id in the list of drivers.',
    },
  },
  'device-not-found': {
    pt: {
      meaning: 'O entregador não tem este aparelho.',
      when: 'O aparelho já saiu do aplicativo, ou o id é de outro entregador.',
      remedy: 'Liste os aparelhos do entregador de novo.',
    },
    en: {
      meaning: 'The driver does not have this device.',
      when: 'The device has signed out already, or the id belongs to another driver.',
      remedy: 'List the devices of the driver again.',
    },
  },
  'category-not-found': {
    pt: {
      meaning: 'A categoria não existe nesta central.',
      when: 'Nenhuma categoria tem o id ou o nome enviado.',
      remedy: 'Use uma categoria da central, ou deixe o campo de fora para usar a padrão.',
    },
    en: {
      meaning: 'The category does not exist in this central.',
      when: 'No category has the id or the name that was sent.',
      remedy: 'Use a category of the central, or leave the field out to get the default one.',
    },
  },
  'reason-not-found': {
    pt: {
      meaning: 'O motivo de cancelamento não existe nesta central.',
      when: 'Nenhum motivo tem o id enviado em motivo_id.',
      remedy: 'Use um dos motivos da central. De início são os de 1 a 13.',
    },
    en: {
      meaning: 'The cancellation reason does not exist in this central.',
      when: 'No reason has the id that was sent in motivo_id.',
      remedy: 'Use one of the reasons of the central. At first these are 1 to 13.',
    },
  },
  'area-not-found': {
    pt: {
      meaning: 'A área de atuação não existe nesta central.',
      when: 'O id não existe, ou a área foi excluída.',
      remedy: 'Liste as áreas de atuação e use um id da lista.',
    },
    en: {
      meaning: 'The operating area does not exist in this central.',
      when: 'The id does not exist, or the area was deleted.',
      remedy: 'List the operating areas and use an id of the list.',
    },
  },
  'record-not-found': {
    pt: {
      meaning: 'O registro não existe nesta central.',
      when: 'O id não existe neste cadastro, ou o registro foi excluído.',
      remedy: 'Liste o cadastro de novo e use um id da lista.',
    },
    en: {
      meaning: 'The record does not exist in this central.',
      when: 'The id does not exist in this register, or the record was deleted.',
      remedy: 'List the register again and use an id of the list.',
    },
  },
  'webhook-not-found': {
    pt: {
      meaning: 'O webhook não existe para este usuário.',
      when: 'O id não existe, o webhook foi excluído, ou é de outra empresa.',
      remedy: 'Liste os webhooks e use um id da lista.',
    },
    en: {
      meaning: 'The webhook does not exist for this login.',
      when: 'The id does not exist, the webhook was deleted, or it belongs to another company.',
      remedy: 'List the webhooks and use an id of the list.',
    },
  },
  'message-not-found': {
    pt: {
      meaning: 'O envio não existe para este usuário.',
      when: 'O id não existe, já foi apagado com o tempo, ou o envio é de um webhook excluído ou de outra empresa.',
      remedy: 'Liste os envios do webhook e use um id da lista.',
    },
    en: {
      meaning: 'The webhook message does not exist for this login.',
      when: 'The id does not exist, was removed with time, or the message is of a webhook that was deleted or of another company.',
      remedy: 'List the messages of the webhook and use an id of the list.',
    },
  },
  'entry-not-found': {
    pt: {
      meaning: 'O entregador não tem este lançamento.',
      when: 'O id não existe na conta deste entregador.',
      remedy: 'Consulte a conta do entregador e use o id de um lançamento dela.',
    },
    en: {
      meaning: "The driver's account does not have this entry.",
      when: 'The id does not exist in the account of this driver.',
      remedy: 'Read the account of the driver and use the id of one of its entries.',
    },
  },
  'closing-not-found': {
    pt: {
      meaning: 'O fechamento não existe para este usuário.',
      when: 'O id não existe na central, ou o fechamento é de outra empresa ou de outro entregador.',
      remedy: 'Liste os fechamentos e use um id da lista.',
    },
    en: {
      meaning: 'The closing does not exist for this login.',
      when: 'The id does not exist in the central, or the closing is that of another company or driver.',
      remedy: 'List the closings and use an id of the list.',
    },
  },
  'pix-not-found': {
    pt: {
      meaning: 'A empresa não tem um código Pix com este identificador.',
      when: 'O identificador tem um erro, é de outra empresa, ou o código foi esquecido depois de 30 dias sem pagamento.',
      remedy: 'Confira o identificador, ou gere outro código.',
    },
    en: {
      meaning: 'The company has no Pix code with this identifier.',
      when: 'The identifier is wrong or of another company, or the code was forgotten after 30 days without payment.',
      remedy: 'Check the identifier, or make another code.',
    },
  },
  'proof-not-found': {
    pt: {
      meaning: 'Não há comprovante neste endereço.',
      when: 'A imagem não existe, foi apagada, o link expirou, ou o entregador já não pode mais vê-la, 72 horas depois de enviada.',
      remedy: 'Consulte a entrega de novo: ela traz links novos.',
    },
    en: {
      meaning: 'There is no proof at this address.',
      when: 'The image does not exist, was erased, the link has expired, or the driver may no longer see it, 72 hours after it was sent.',
      remedy: 'Read the delivery again: it gives new links.',
    },
  },
  'route-not-found': {
    pt: {
      meaning: 'O serviço não tem este endereço.',
      when: 'O caminho da requisição não existe, muitas vezes por um erro de digitação ou por falta do caminho base.',
      remedy: 'Confira o caminho na referência, em /docs. Um id vazio no caminho também tem esta resposta.',
    },
    en: {
      meaning: 'The service does not have this address.',
      when: 'The path of the request does not exist, often because of a typing error or a missing base path.',
      remedy: 'Check the path in the reference at /docs. An empty id in the path gets this answer too.',
    },
  },
} as const satisfies Record<string, Help>;
