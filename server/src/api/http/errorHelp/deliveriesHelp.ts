import type { Help } from './help.ts';

/** The state of deliveries and scheduled deliveries. */
export const deliveriesHelp = {
  'delivery-over': {
    pt: {
      meaning: 'A entrega já terminou e não muda mais.',
      when: 'A entrega está finalizada, cancelada ou não atendida.',
      remedy: 'Consulte o status. Se for preciso, abra outra entrega.',
    },
    en: {
      meaning: 'The delivery is over and does not change any more.',
      when: 'The delivery is finished, cancelled or not attended.',
      remedy: 'Read its status. If needed, open another delivery.',
    },
  },
  'delivery-started': {
    pt: {
      meaning: 'A entrega já está em andamento e não pode mais ser substituída.',
      when: 'Uma edição completa chegou depois que o entregador iniciou a entrega.',
      remedy: 'Exclua uma parada, ou peça à central que edite as paradas que faltam.',
    },
    en: {
      meaning: 'The delivery is in progress and can no longer be replaced.',
      when: 'A full edit arrived after the driver had started the delivery.',
      remedy: 'Remove a stop, or ask the central to edit the stops that remain.',
    },
  },
  'not-finished': {
    pt: {
      meaning: 'O recibo existe só depois do fim da entrega.',
      when: 'A entrega não está no status F.',
      remedy: 'Espere até que ela seja finalizada: o evento entrega.status avisa.',
    },
    en: {
      meaning: 'A receipt exists only after the end of the delivery.',
      when: 'The delivery is not in status F.',
      remedy: 'Wait until it is finished: the event entrega.status tells.',
    },
  },
  'still-awaiting-dispatch': {
    pt: {
      meaning: 'Esta interface não cancela uma programada que ainda aguarda disparo.',
      when: 'A programada está na situação A, e a central não permite esse cancelamento na integração.',
      remedy: 'Peça à central que a cancele ou que ligue essa configuração, ou cancele depois do disparo.',
    },
    en: {
      meaning: 'This interface does not cancel a scheduled delivery that still awaits dispatch.',
      when: 'The scheduled delivery is in situation A, and the central does not allow this cancellation by integrators.',
      remedy: 'Ask the central to cancel it or to turn that setting on, or cancel it after its dispatch.',
    },
  },
  'scheduled-cancelled': {
    pt: {
      meaning: 'A programada está cancelada.',
      when: 'A operação chegou depois do cancelamento, ou o cancelamento foi repetido.',
      remedy: 'Nada a fazer. Para entregar ainda assim, crie outra.',
    },
    en: {
      meaning: 'The scheduled delivery is cancelled.',
      when: 'The operation came after the cancellation, or the cancellation was repeated.',
      remedy: 'Nothing to do. To deliver all the same, create another one.',
    },
  },
  'scheduled-dispatched': {
    pt: {
      meaning: 'A programada já foi disparada.',
      when: 'A operação chegou depois do disparo, que gerou uma entrega.',
      remedy: 'Use a entrega gerada, cujo id está em id_mch da programada.',
    },
    en: {
      meaning: 'The scheduled delivery was already dispatched.',
      when: 'The operation came after the dispatch, which made a delivery.',
      remedy: 'Use that delivery. Its id is in id_mch of the scheduled delivery.',
    },
  },
  'scheduled-failed': {
    pt: {
      meaning: 'O disparo da programada falhou de vez.',
      when: 'A programada está na situação X. O motivo está registrado com ela.',
      remedy: 'A central pode repetir o disparo. Senão, crie outra programada.',
    },
    en: {
      meaning: 'The dispatch of the scheduled delivery failed for good.',
      when: 'The scheduled delivery is in situation X. The reason is recorded with it.',
      remedy: 'The central can repeat the dispatch. Otherwise create another one.',
    },
  },
  'dispatch-not-failed': {
    pt: {
      meaning: 'Não há disparo falho a repetir.',
      when: 'A programada não está na situação X, ou alguém já repetiu o disparo.',
      remedy: 'Consulte a situação da programada.',
    },
    en: {
      meaning: 'There is no failed dispatch to repeat.',
      when: 'The scheduled delivery is not in situation X, or somebody has repeated its dispatch already.',
      remedy: 'Read the situation of the scheduled delivery.',
    },
  },
  'not-to-order-again': {
    pt: {
      meaning: 'A entrega não pode ser pedida de novo.',
      when: 'Ela não está no status N, já foi pedida de novo uma vez, ou os dados do cliente foram apagados.',
      remedy: 'Abra uma entrega nova.',
    },
    en: {
      meaning: 'The delivery cannot be ordered again.',
      when: 'It is not in status N, was already ordered again once, or the data of its customer was erased.',
      remedy: 'Open a new delivery.',
    },
  },
  'not-to-dismiss': {
    pt: {
      meaning: 'A entrega não pode ser dispensada.',
      when: 'Ela não está no status N, já foi dispensada, ou já foi pedida de novo.',
      remedy: 'Atualize a lista de não atendidas.',
    },
    en: {
      meaning: 'The delivery cannot be dismissed.',
      when: 'It is not in status N, was dismissed already, or was ordered again.',
      remedy: 'Refresh the list of deliveries that were not attended.',
    },
  },
  'last-stop': {
    pt: {
      meaning: 'A programada precisa manter ao menos uma parada.',
      when: 'A parada a excluir é a única que resta.',
      remedy: 'Para desistir da programada, cancele-a.',
    },
    en: {
      meaning: 'The scheduled delivery must keep at least one stop.',
      when: 'The stop to remove is the only one left.',
      remedy: 'To give the scheduled delivery up, cancel it.',
    },
  },
  'removed-stop-not-found': {
    pt: {
      meaning: 'A parada não pertence a esta entrega.',
      when: 'O id não existe nesta entrega, ou a parada já foi excluída.',
      remedy: 'Consulte a entrega de novo e use o id que ela mostra.',
    },
    en: {
      meaning: 'The stop does not belong to this delivery.',
      when: 'The id does not exist in this delivery, or the stop was removed already.',
      remedy: 'Read the delivery again and use the id that it shows.',
    },
  },
  'removed-stop-grouped': {
    pt: {
      meaning: 'As paradas estão em outra entrega.',
      when: 'A entrega foi agrupada, e a agrupadora leva as paradas.',
      remedy: 'Exclua a parada da entrega que a mensagem indica.',
    },
    en: {
      meaning: 'The stops are in another delivery.',
      when: 'The delivery was grouped, and its grouper carries the stops.',
      remedy: 'Remove the stop from the delivery that the message names.',
    },
  },
  'removed-stop-over': {
    pt: {
      meaning: 'As paradas de uma entrega terminada não são excluídas.',
      when: 'A entrega está finalizada, cancelada ou não atendida.',
      remedy: 'Nada a fazer. Consulte o status da entrega.',
    },
    en: {
      meaning: 'Stops of a delivery that is over cannot be removed.',
      when: 'The delivery is finished, cancelled or not attended.',
      remedy: 'Nothing to do. Read the status of the delivery.',
    },
  },
  'removed-stop-concluded': {
    pt: {
      meaning: 'A parada já foi concluída.',
      when: 'O entregador concluiu a parada antes da exclusão.',
      remedy: 'Nada a fazer: a parada fica no histórico.',
    },
    en: {
      meaning: 'The stop was already concluded.',
      when: 'The driver concluded the stop before it was to be removed.',
      remedy: 'Nothing to do: the stop stays in the history.',
    },
  },
  'removed-stop-last': {
    pt: {
      meaning: 'A entrega precisa manter ao menos uma parada a visitar.',
      when: 'Sem esta parada, todas as que restam já foram concluídas, ou não resta nenhuma.',
      remedy: 'Para desistir da entrega, cancele-a.',
    },
    en: {
      meaning: 'The delivery must keep at least one stop to visit.',
      when: 'Without this stop, all that remain were concluded already, or none remains.',
      remedy: 'To give the delivery up, cancel it.',
    },
  },
  'step-out-of-order': {
    pt: {
      meaning: 'A etapa não é possível no status atual da entrega.',
      when: 'As etapas têm uma ordem, e esta veio cedo demais, tarde demais ou duas vezes.',
      remedy: 'Consulte o status e siga a ordem: aceitar, chegar, iniciar, concluir, finalizar.',
    },
    en: {
      meaning: 'The step is not possible in the current status of the delivery.',
      when: 'Steps have an order, and this one came too early, too late or twice.',
      remedy: 'Read the status and follow the order: accept, arrive, start, conclude, finish.',
    },
  },
  'stops-not-concluded': {
    pt: {
      meaning: 'A entrega ainda tem paradas a concluir.',
      when: 'Foi pedido o fim da entrega com paradas abertas. A mensagem diz quantas.',
      remedy: 'Conclua as paradas, ou registre que não foi possível entregar.',
    },
    en: {
      meaning: 'The delivery still has stops to conclude.',
      when: 'The end of the delivery was requested with open stops. The message says how many.',
      remedy: 'Conclude the stops, or report that they could not be delivered.',
    },
  },
  'offer-not-open': {
    pt: {
      meaning: 'A oferta não está mais aberta.',
      when: 'O prazo da oferta passou, ela foi retirada, ou o entregador já respondeu.',
      remedy: 'Atualize a lista de ofertas.',
    },
    en: {
      meaning: 'The offer is no longer open.',
      when: 'The time of the offer has passed, it was withdrawn, or the driver has answered already.',
      remedy: 'Refresh the list of offers.',
    },
  },
  'failure-not-open': {
    pt: {
      meaning: 'A parada não tem falha a resolver.',
      when: 'A parada não falhou, alguém já resolveu a falha, ou os dados de quem pediu foram apagados.',
      remedy: 'Atualize a lista de falhas.',
    },
    en: {
      meaning: 'The stop has no failure to resolve.',
      when: 'The stop did not fail, somebody has resolved the failure, or the data of who ordered was erased.',
      remedy: 'Refresh the list of failures.',
    },
  },
  'delivery-changed': {
    pt: {
      meaning: 'A entrega mudou desde que foi lida.',
      when: 'A versão enviada na edição não é mais a atual: um entregador ou outro operador fez algo antes.',
      remedy: 'Leia a entrega de novo, confira e envie a edição com a versão nova.',
    },
    en: {
      meaning: 'The delivery has changed since it was read.',
      when: 'The version sent with the edit is no longer the current one: a driver or another operator did something first.',
      remedy: 'Read the delivery again, check it, and send the edit with the new version.',
    },
  },
  'edited-stop-concluded': {
    pt: {
      meaning: 'Uma parada concluída não muda mais.',
      when: 'A edição altera ou tira uma parada que o entregador já concluiu.',
      remedy: 'Leia a entrega de novo e edite somente as paradas que faltam.',
    },
    en: {
      meaning: 'A stop that was concluded does not change any more.',
      when: 'The edit changes or removes a stop that the driver has concluded.',
      remedy: 'Read the delivery again and edit only the stops that remain.',
    },
  },
} as const satisfies Record<string, Help>;
