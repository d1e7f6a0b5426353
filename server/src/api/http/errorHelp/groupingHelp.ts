import type { Help } from './help.ts';

/** Grouping. */
export const groupingHelp = {
  'grouping-in-progress': {
    pt: {
      meaning: 'Uma das solicitações está sendo agrupada neste momento.',
      when: 'Outro agrupamento manual com a mesma solicitação ainda não terminou.',
      remedy: 'Espere alguns segundos, confira a situação das solicitações e repita se ainda fizer sentido.',
    },
    en: {
      meaning: 'One of the requests is being grouped at this moment.',
      when: 'Another grouping by hand with the same request has not ended yet.',
      remedy: 'Wait a few seconds, look at the state of the requests, and repeat if it still makes sense.',
    },
  },
  'merge-in-progress': {
    pt: {
      meaning: 'O agrupamento automático está usando uma das programadas.',
      when: 'O serviço está planejando juntar programadas da mesma empresa e ainda não decidiu.',
      remedy: 'Repita em instantes: ela é liberada logo, ou passa a fazer parte de outra.',
    },
    en: {
      meaning: 'The automatic merge is using one of the scheduled deliveries.',
      when: 'The service is planning to join scheduled deliveries of the same company and has not decided yet.',
      remedy: 'Repeat in a moment: it is released soon, or becomes part of another one.',
    },
  },
  'grouped-automatically': {
    pt: {
      meaning: 'A programada foi agrupada automaticamente e não pode mais ser alterada.',
      when: 'Uma das programadas participou de um agrupamento automático.',
      remedy: 'Deixe-a seguir como está. Para desistir, cancele-a depois do disparo.',
    },
    en: {
      meaning: 'The scheduled delivery was grouped automatically and cannot be changed any more.',
      when: 'One of the scheduled deliveries took part in an automatic merge.',
      remedy: 'Let it go ahead as it is. To give it up, cancel it after its dispatch.',
    },
  },
  'not-awaiting-dispatch': {
    pt: {
      meaning: 'Só se agrupam programadas que aguardam disparo.',
      when: 'A programada indicada já foi disparada, cancelada, agrupada em outra, ou falhou no disparo.',
      remedy: 'Consulte a situação dela e tire-a da lista.',
    },
    en: {
      meaning: 'Only scheduled deliveries that await dispatch can be grouped.',
      when: 'The scheduled delivery named was already dispatched, cancelled or grouped into another, or its dispatch failed.',
      remedy: 'Read its situation and take it off the list.',
    },
  },
  'too-few-orders': {
    pt: {
      meaning: 'Um agrupamento precisa de ao menos 2 pedidos.',
      when: 'Depois de descontados o próprio id e os repetidos, a lista não tem nenhuma outra solicitação.',
      remedy: 'Envie ao menos uma solicitação diferente da agrupadora.',
    },
    en: {
      meaning: 'A grouping needs at least 2 orders.',
      when: "Without the grouper's own id and repeated ids, the list has no other request.",
      remedy: 'Send at least one request other than the grouper.',
    },
  },
  'different-companies': {
    pt: {
      meaning: 'As solicitações não são do mesmo cliente.',
      when: 'Elas são de empresas diferentes, ou de pessoas diferentes.',
      remedy: 'Agrupe somente solicitações da mesma empresa ou da mesma pessoa.',
    },
    en: {
      meaning: 'The requests are not of the same customer.',
      when: 'They belong to different companies, or to different persons.',
      remedy: 'Group only requests of the same company or the same person.',
    },
  },
  'different-pickups': {
    pt: {
      meaning: 'As solicitações não saem do mesmo lugar.',
      when: 'As coordenadas de coleta diferem quando arredondadas a 5 casas decimais.',
      remedy: 'Agrupe somente solicitações com a mesma coleta, ou corrija as coordenadas antes.',
    },
    en: {
      meaning: 'The requests do not leave from the same place.',
      when: 'Their pickup coordinates differ when rounded to 5 decimals.',
      remedy: 'Group only requests with the same pickup, or correct the coordinates first.',
    },
  },
  'too-close-to-dispatch': {
    pt: {
      meaning: 'Falta pouco demais para o disparo.',
      when: 'Uma das programadas será disparada em 60 segundos ou menos.',
      remedy: 'Espere o disparo e agrupe as entregas em andamento, ou adie a programada antes.',
    },
    en: {
      meaning: 'The dispatch is too close.',
      when: 'One of the scheduled deliveries is dispatched in 60 seconds or less.',
      remedy:
        'Wait for the dispatch and group the deliveries in progress, or postpone the scheduled delivery first.',
    },
  },
  'too-many-stops': {
    pt: {
      meaning: 'A solicitação passaria do máximo de paradas.',
      when: 'O agrupamento ou a edição levaria a mais de 10 paradas em uma só solicitação. A mensagem traz o total.',
      remedy: 'Agrupe menos solicitações, ou divida as paradas em mais de uma.',
    },
    en: {
      meaning: 'The request would have more stops than the maximum.',
      when: 'The grouping or edit would lead to more than 10 stops in one request. The message gives the total.',
      remedy: 'Group fewer requests, or divide the stops among several.',
    },
  },
  'estimate-impossible': {
    pt: {
      meaning: 'Não foi possível calcular preço, distância e tempo.',
      when: 'O serviço de rotas não encontrou caminho entre os pontos, ou não respondeu.',
      remedy: 'Confira as coordenadas. Se estão certas, tente de novo em instantes.',
    },
    en: {
      meaning: 'Price, distance and time could not be computed.',
      when: 'The routing service found no way between the points, or did not answer.',
      remedy: 'Check the coordinates. If they are right, try again in a moment.',
    },
  },
  'not-saved': {
    pt: {
      meaning: 'O agrupamento não foi gravado, porque uma solicitação mudou enquanto ele era planejado.',
      when: 'Entre o planejamento e a gravação, uma das solicitações foi editada, cancelada ou disparada.',
      remedy: 'Consulte as solicitações e envie o agrupamento de novo. Nada foi alterado.',
    },
    en: {
      meaning: 'The grouping was not saved, because a request changed while it was being planned.',
      when: 'Between planning and saving, one of the requests was edited, cancelled or dispatched.',
      remedy: 'Read the requests and send the grouping again. Nothing was changed.',
    },
  },
  'not-in-progress': {
    pt: {
      meaning: 'Só se agrupam entregas em andamento.',
      when: 'A agrupadora, ou uma das entregas da lista, não está no status E, ou já foi agrupada em outra.',
      remedy: 'Consulte o status das entregas e tire da lista as que não estão em andamento.',
    },
    en: {
      meaning: 'Only deliveries in progress can be grouped.',
      when: 'The grouper or one of the listed deliveries is not in status E, or was already grouped into another.',
      remedy: 'Read the status of the deliveries and take those that are not in progress off the list.',
    },
  },
  'receipt-of-grouper': {
    pt: {
      meaning: 'O recibo desta entrega é o da agrupadora.',
      when: 'A entrega foi agrupada em outra, que leva as suas paradas e o seu preço.',
      remedy: 'Peça o recibo da entrega que a mensagem indica.',
    },
    en: {
      meaning: 'The receipt of this delivery is that of its grouper.',
      when: 'The delivery was grouped into another, which carries its stops and its price.',
      remedy: 'Ask for the receipt of the delivery that the message names.',
    },
  },
  'delivery-grouped': {
    pt: {
      meaning: 'A entrega faz parte de outra e não muda mais sozinha.',
      when: 'A entrega foi agrupada na que a mensagem indica.',
      remedy: 'Faça a operação na entrega indicada. A agrupada ainda pode ser cancelada.',
    },
    en: {
      meaning: 'The delivery is part of another one and no longer changes by itself.',
      when: 'The delivery was grouped into the one that the message names.',
      remedy: 'Do this with the delivery named. The grouped one can still be cancelled.',
    },
  },
  'delivery-carries-others': {
    pt: {
      meaning: 'A entrega leva pedidos de outras e não pode ser substituída inteira.',
      when: 'Ela nasceu de uma programada em que outras foram agrupadas.',
      remedy: 'Exclua paradas uma a uma, ou cancele a entrega.',
    },
    en: {
      meaning: 'The delivery carries orders of others and cannot be replaced as a whole.',
      when: 'It comes from a scheduled delivery into which others were grouped.',
      remedy: 'Remove single stops, or cancel the delivery.',
    },
  },
  'scheduled-grouped': {
    pt: {
      meaning: 'A programada faz parte de outra.',
      when: 'Ela foi agrupada na programada que a mensagem indica.',
      remedy: 'Faça a operação na programada indicada.',
    },
    en: {
      meaning: 'The scheduled delivery is part of another one.',
      when: 'It was grouped into the scheduled delivery that the message names.',
      remedy: 'Do this with the scheduled delivery named.',
    },
  },
  'grouper-needs-stop': {
    pt: {
      meaning: 'A agrupadora ficaria sem paradas.',
      when: 'Todas as paradas que restam na agrupadora são desta programada, que se quer cancelar.',
      remedy: 'Cancele a programada que a mensagem indica.',
    },
    en: {
      meaning: 'The grouper would be left without stops.',
      when: 'All stops that remain in the grouper belong to the scheduled delivery to be cancelled.',
      remedy: 'Cancel the scheduled delivery that the message names.',
    },
  },
} as const satisfies Record<string, Help>;
