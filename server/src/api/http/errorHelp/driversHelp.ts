import type { Help } from './help.ts';

/** Drivers and their accounts. */
export const driversHelp = {
  'delivery-taken': {
    pt: {
      meaning: 'Outro entregador já aceitou a entrega.',
      when: 'Dois entregadores receberam a oferta, e o outro aceitou antes.',
      remedy: 'Atualize a lista de ofertas.',
    },
    en: {
      meaning: 'Another driver has already accepted the delivery.',
      when: 'Two drivers received the offer, and the other one accepted first.',
      remedy: 'Refresh the list of offers.',
    },
  },
  'driver-busy': {
    pt: {
      meaning: 'O entregador já tem entregas demais à espera.',
      when: 'Ele leva uma entrega e quis pegar outra da lista, além do máximo que a central permite.',
      remedy: 'Conclua uma entrega antes de pegar outra.',
    },
    en: {
      meaning: 'The driver already has too many deliveries waiting.',
      when: 'The driver carries a delivery and tried to take another from the list, beyond the maximum of the central.',
      remedy: 'Finish a delivery before taking another.',
    },
  },
  'driver-off-duty': {
    pt: {
      meaning: 'O entregador está fora de serviço.',
      when: 'Ele quis pegar uma entrega da lista sem estar disponível.',
      remedy: 'Marque o entregador como disponível e tente de novo.',
    },
    en: {
      meaning: 'The driver is off duty.',
      when: 'The driver tried to take a delivery from the list without being available.',
      remedy: 'Mark the driver as available and try again.',
    },
  },
  'driver-too-far': {
    pt: {
      meaning: 'O entregador está longe demais da coleta.',
      when: 'Ele quis pegar uma entrega da lista além da distância que a central permite, ou a posição dele é antiga ou desconhecida.',
      remedy: 'Envie a posição atual do entregador, ou chegue mais perto.',
    },
    en: {
      meaning: 'The driver is too far from the pickup.',
      when: "The driver tried to take a delivery from the list beyond the distance that the central allows, or the driver's position is old or unknown.",
      remedy: 'Send the current position of the driver, or come closer.',
    },
  },
  'driver-inactive': {
    pt: {
      meaning: 'O entregador está inativo.',
      when: 'A central desativou o cadastro do entregador, e a operação precisa de um ativo.',
      remedy: 'Reative o cadastro, ou escolha outro entregador.',
    },
    en: {
      meaning: 'The driver is inactive.',
      when: "The central has deactivated the driver's record, and the operation needs an active one.",
      remedy: 'Reactivate the record, or choose another driver.',
    },
  },
  'driver-without-login': {
    pt: {
      meaning: 'O entregador não tem usuário.',
      when: 'Um convite do aplicativo foi pedido para um entregador sem usuário.',
      remedy: 'Crie um usuário com o perfil de entregador e peça o convite de novo.',
    },
    en: {
      meaning: 'The driver has no user.',
      when: 'An invitation to the app was requested for a driver who has no user.',
      remedy: 'Create a user with the role of driver and ask for the invitation again.',
    },
  },
  'not-a-device': {
    pt: {
      meaning: 'Só um aparelho em que o entregador entrou recebe avisos.',
      when: 'A requisição veio de um usuário e senha, e não da sessão de um aparelho.',
      remedy: 'Ative os avisos no próprio aplicativo do entregador.',
    },
    en: {
      meaning: 'Only a device on which the driver is signed in receives notifications.',
      when: 'The request came with a user and password, not from the session of a device.',
      remedy: "Turn notifications on in the driver's app itself.",
    },
  },
  'driver-of-other-companies': {
    pt: {
      meaning: 'O entregador não atende esta empresa.',
      when: 'O cadastro do entregador o liga a outras empresas somente.',
      remedy: 'Escolha outro entregador, ou mude as empresas dele no cadastro.',
    },
    en: {
      meaning: 'The driver does not serve this company.',
      when: "The driver's record binds the driver to other companies only.",
      remedy: "Choose another driver, or change the companies in the driver's record.",
    },
  },
  'driver-carries-it': {
    pt: {
      meaning: 'O entregador já leva esta entrega.',
      when: 'A entrega foi passada para quem já está com ela.',
      remedy: 'Nada a fazer, ou escolha outro entregador.',
    },
    en: {
      meaning: 'The driver already carries this delivery.',
      when: 'The delivery was passed to the driver who has it.',
      remedy: 'Nothing to do, or choose another driver.',
    },
  },
  'driver-has-current': {
    pt: {
      meaning: 'O entregador está com outra entrega agora.',
      when: 'Uma entrega já iniciada só passa para quem está livre, e este entregador não está. A mensagem diz com qual entrega ele está.',
      remedy: 'Escolha um entregador livre.',
    },
    en: {
      meaning: 'The driver has another delivery now.',
      when: "A delivery that was started passes only to a free driver, and this one is not. The message names the driver's delivery.",
      remedy: 'Choose a driver who is free.',
    },
  },
  'delivery-without-driver': {
    pt: {
      meaning: 'A entrega ainda não tem entregador.',
      when: 'Foi pedido que ela passasse de um entregador a outro, mas ninguém a aceitou ainda.',
      remedy: 'Ofereça a entrega a um entregador.',
    },
    en: {
      meaning: 'The delivery has no driver yet.',
      when: 'It was to pass from one driver to another, but nobody has accepted it yet.',
      remedy: 'Offer the delivery to a driver.',
    },
  },
  'delivery-handed-over': {
    pt: {
      meaning: 'A central passou a entrega para outro entregador.',
      when: 'O entregador enviou uma etapa ou uma imagem de uma entrega que já não é dele.',
      remedy: 'Atualize o aplicativo. Em caso de dúvida, fale com a central.',
    },
    en: {
      meaning: 'The central gave the delivery to another driver.',
      when: "The driver sent a step or an image of a delivery that is no longer the driver's.",
      remedy: 'Refresh the app. If in doubt, talk to the central.',
    },
  },
  'cash-not-held': {
    pt: {
      meaning: 'O valor é maior que o dinheiro que está com o entregador.',
      when: 'O acerto de dinheiro registrado passa do que o entregador recebeu e ainda não entregou.',
      remedy: 'Confira o saldo de dinheiro na conta do entregador.',
    },
    en: {
      meaning: 'The amount is more than the cash that the driver holds.',
      when: 'The cash that was to be handed in exceeds what the driver received and has not handed in.',
      remedy: "Check the cash balance in the driver's account.",
    },
  },
  'entry-reversed': {
    pt: {
      meaning: 'O lançamento já foi estornado.',
      when: 'Cada lançamento é estornado uma vez só, e um estorno não é estornado.',
      remedy: 'Para corrigir, faça um lançamento novo.',
    },
    en: {
      meaning: 'The entry was already reversed.',
      when: 'Each entry is reversed only once, and a reversal is not reversed.',
      remedy: 'To correct it, make a new entry.',
    },
  },
} as const satisfies Record<string, Help>;
