import type { Help } from './help.ts';

/** What an order asks for. */
export const ordersHelp = {
  'dispatch-in-the-past': {
    pt: {
      meaning: 'O momento do disparo já passou.',
      when: 'A data e a hora enviadas, no fuso da central, não estão no futuro.',
      remedy: 'Envie uma data e hora futuras, no fuso da central.',
    },
    en: {
      meaning: 'The moment of dispatch has passed.',
      when: "The date and time that were sent, in the central's time zone, are not in the future.",
      remedy: "Send a future date and time, in the central's time zone.",
    },
  },
  'outside-operating-areas': {
    pt: {
      meaning: 'O ponto está fora de onde a central atende.',
      when: 'A coleta ou uma parada não está em nenhuma área de atuação. A mensagem traz o ponto.',
      remedy: 'Confira se latitude e longitude não estão trocadas. Senão, o endereço não é atendido.',
    },
    en: {
      meaning: 'The point is outside the region that the central serves.',
      when: 'The pickup or a stop is in no operating area. The message gives the point.',
      remedy: 'Check that latitude and longitude were not swapped. Otherwise the address is not served.',
    },
  },
  'pickup-not-found': {
    pt: {
      meaning: 'O endereço da coleta não foi encontrado.',
      when: 'A coleta veio sem coordenadas, e nada parecido com o endereço foi achado.',
      remedy: 'Corrija o endereço, ou envie as coordenadas.',
    },
    en: {
      meaning: 'The address of the pickup was not found.',
      when: 'The pickup came without coordinates, and nothing like its address was found.',
      remedy: 'Correct the address, or send its coordinates.',
    },
  },
  'stop-address-not-found': {
    pt: {
      meaning: 'O endereço de uma parada não foi encontrado.',
      when: 'A parada que a mensagem indica veio sem coordenadas, e nada parecido com o endereço foi achado.',
      remedy: 'Corrija o endereço, ou envie as coordenadas.',
    },
    en: {
      meaning: 'The address of a stop was not found.',
      when: 'The stop that the message names came without coordinates, and nothing like its address was found.',
      remedy: 'Correct the address, or send its coordinates.',
    },
  },
  'pickup-unsure': {
    pt: {
      meaning: 'O endereço da coleta foi encontrado sem precisão suficiente.',
      when: 'O lugar mais parecido é menos preciso do que a central exige. A mensagem diz qual é.',
      remedy: 'Complete o endereço, como com o número, ou envie as coordenadas.',
    },
    en: {
      meaning: 'The address of the pickup was not found precisely enough.',
      when: 'The best guess is less precise than the central requires. The message names it.',
      remedy: 'Complete the address, such as with its number, or send its coordinates.',
    },
  },
  'stop-address-unsure': {
    pt: {
      meaning: 'O endereço de uma parada foi encontrado sem precisão suficiente.',
      when: 'O lugar mais parecido é menos preciso do que a central exige. A mensagem diz qual é.',
      remedy: 'Complete o endereço, como com o número, ou envie as coordenadas.',
    },
    en: {
      meaning: 'The address of a stop was not found precisely enough.',
      when: 'The best guess is less precise than the central requires. The message names it.',
      remedy: 'Complete the address, such as with its number, or send its coordinates.',
    },
  },
  'geocoding-unavailable': {
    pt: {
      meaning: 'O serviço que encontra endereços não respondeu.',
      when: 'O endereço veio sem coordenadas, e o serviço de endereços está fora do ar ou foi desligado.',
      remedy: 'Tente de novo em instantes, ou envie as coordenadas.',
    },
    en: {
      meaning: 'The service that finds addresses did not answer.',
      when: 'The address came without coordinates, and the address service is down or was turned off.',
      remedy: 'Try again in a moment, or send the coordinates.',
    },
  },
  'address-without-street': {
    pt: {
      meaning: 'O endereço não tem o nome de uma rua.',
      when: 'A correção de um endereço é lembrada pela rua, e o texto não traz nenhuma.',
      remedy: 'Escreva o nome da rua no endereço.',
    },
    en: {
      meaning: 'The address does not name a street.',
      when: 'The correction of an address is remembered by its street, and the text has none.',
      remedy: 'Write the name of the street in the address.',
    },
  },
  'category-mismatch': {
    pt: {
      meaning: 'O id e o nome são de categorias diferentes.',
      when: 'Os campos categoria_id e categoria_nome foram enviados e não concordam.',
      remedy: 'Envie só um dos dois, de preferência o id.',
    },
    en: {
      meaning: 'The id and the name are those of different categories.',
      when: 'The fields categoria_id and categoria_nome were both sent and do not agree.',
      remedy: 'Send only one of the two, preferably the id.',
    },
  },
  'category-missing': {
    pt: {
      meaning: 'Falta a categoria, e não há uma padrão.',
      when: 'Nenhuma categoria foi enviada, e nem a empresa nem a central tem uma padrão.',
      remedy: 'Envie categoria_id, ou peça à central que defina uma padrão.',
    },
    en: {
      meaning: 'The category is missing, and there is no default.',
      when: 'No category was sent, and neither the company nor the central has a default one.',
      remedy: 'Send categoria_id, or ask the central to set a default.',
    },
  },
  'no-tariff': {
    pt: {
      meaning: 'Não há preço para esta categoria neste lugar.',
      when: 'A categoria não tem tarifa na área de atuação da coleta.',
      remedy: 'Escolha outra categoria, ou peça à central que cadastre a tarifa.',
    },
    en: {
      meaning: 'There is no price for this category at this place.',
      when: 'The category has no tariff in the operating area of the pickup.',
      remedy: 'Choose another category, or ask the central to create the tariff.',
    },
  },
  'coupon-invalid': {
    pt: {
      meaning: 'O cupom não pode ser usado.',
      when: 'O código não existe, venceu, se esgotou, ou não vale para esta empresa. A resposta é a mesma em todos os casos.',
      remedy: 'Confira o código, ou envie o pedido sem cupom.',
    },
    en: {
      meaning: 'The coupon cannot be used.',
      when: 'The code does not exist, has expired, is used up, or is not for this company. The answer is the same in all cases.',
      remedy: 'Check the code, or send the order without a coupon.',
    },
  },
  'too-many-wrong-coupons': {
    pt: {
      meaning: 'Este usuário errou o código de cupom vezes demais.',
      when: 'Cupons inválidos demais foram enviados em 15 minutos. Até lá, um código certo também é recusado.',
      remedy: 'Espere os segundos de Retry-After, ou envie o pedido sem cupom.',
    },
    en: {
      meaning: 'This login has given wrong coupon codes too often.',
      when: 'Too many invalid coupons were sent within 15 minutes. Until then a right code is refused too.',
      remedy: 'Wait the seconds of Retry-After, or send the order without a coupon.',
    },
  },
  'insufficient-balance': {
    pt: {
      meaning: 'O saldo da carteira de créditos não cobre o pedido.',
      when: 'O pagamento é R, e o saldo, descontado o que outras programadas à espera vão usar, é menor que o preço.',
      remedy: 'Faça uma recarga, ou use outra forma de pagamento.',
    },
    en: {
      meaning: 'The balance of the credit wallet does not cover the order.',
      when: 'The payment is R, and the balance, less what other waiting scheduled deliveries will take, is below the price.',
      remedy: 'Top up the wallet, or use another form of payment.',
    },
  },
  'wallet-needs-company': {
    pt: {
      meaning: 'Só empresas pagam com a carteira de créditos.',
      when: 'O pagamento é R em um pedido de uma pessoa, sem empresa.',
      remedy: 'Envie a empresa, ou outra forma de pagamento.',
    },
    en: {
      meaning: 'Only companies pay with the credit wallet.',
      when: 'The payment is R in the order of a person, without a company.',
      remedy: 'Send the company, or another form of payment.',
    },
  },
  'company-inactive': {
    pt: {
      meaning: 'A empresa está inativa e não pode pedir entregas.',
      when: 'A central desativou o cadastro da empresa.',
      remedy: 'Fale com a central.',
    },
    en: {
      meaning: 'The company is inactive and cannot order deliveries.',
      when: "The central has deactivated the company's record.",
      remedy: 'Talk to the central.',
    },
  },
  'company-fixed': {
    pt: {
      meaning: 'A empresa de uma entrega não pode ser trocada.',
      when: 'A edição traz uma empresa diferente daquela com que a entrega foi criada.',
      remedy: 'Cancele a entrega e abra outra para a empresa certa.',
    },
    en: {
      meaning: 'The company of a delivery cannot be changed.',
      when: 'The edit names a company other than the one with which the delivery was created.',
      remedy: 'Cancel the delivery and open another for the right company.',
    },
  },
  'quote-not-found': {
    pt: {
      meaning: 'A cotação não foi encontrada.',
      when: 'O cotacao_id não é de uma cotação desta central e desta empresa, ou ela foi apagada um dia depois de feita.',
      remedy: 'Faça outra cotação e envie o cotacao_id como veio.',
    },
    en: {
      meaning: 'The quote was not found.',
      when: 'The cotacao_id is not that of a quote of this central and company, or it was deleted a day after it was made.',
      remedy: 'Make another quote, and send its cotacao_id unchanged.',
    },
  },
  'quote-expired': {
    pt: {
      meaning: 'A cotação venceu.',
      when: 'O pedido chegou depois de valida_ate.',
      remedy: 'Faça outra cotação, mostre o novo valor e crie o pedido com ela.',
    },
    en: {
      meaning: 'The quote has expired.',
      when: 'The order arrived after valida_ate.',
      remedy: 'Make another quote, show its price, and create the order with it.',
    },
  },
  'quote-used': {
    pt: {
      meaning: 'A cotação já foi usada em um pedido.',
      when: 'Um pedido anterior com este cotacao_id foi criado. Uma repetição sem Idempotency-Key também recebe esta resposta.',
      remedy: 'Confira se o pedido já existe. Para mais um, faça outra cotação.',
    },
    en: {
      meaning: 'The quote was used for an order already.',
      when: 'An earlier order with this cotacao_id was created. A repetition without an Idempotency-Key gets this answer too.',
      remedy: 'Check whether the order exists. For one more, make another quote.',
    },
  },
  'quote-differs': {
    pt: {
      meaning: 'O pedido não é o que foi cotado.',
      when: 'Difere em quem pede, categoria, cupom, partida, paradas e sua ordem, retorno ou disparo. As coordenadas são comparadas com cinco decimais.',
      remedy: 'Envie os mesmos dados da cotação, ou faça outra.',
    },
    en: {
      meaning: 'The order is not the one that was quoted.',
      when: 'It differs in who orders, category, coupon, pickup, stops and their order, return or dispatch. Coordinates are compared to five decimals.',
      remedy: 'Send the data of the quote, or make another one.',
    },
  },
  'quote-of-other-company': {
    pt: {
      meaning: 'A cotação é de outra empresa.',
      when: 'Um usuário da central cotou para uma empresa e pede para outra.',
      remedy: 'Faça uma cotação para a empresa do pedido.',
    },
    en: {
      meaning: 'The quote belongs to another company.',
      when: 'A user of the central quoted for one company and orders for another.',
      remedy: 'Make a quote for the company of the order.',
    },
  },
  'external-id-taken': {
    pt: {
      meaning: 'A chave id_externo já é de um pedido que não pode mais ser alterado.',
      when: 'O conteúdo é outro, e o pedido já começou, terminou, foi disparado ou agrupado, ou é a programada de uma empresa e você não é gerente dela. Um pedido cancelado ou não atendido recusa também o mesmo conteúdo.',
      remedy: 'Confira o pedido que a mensagem indica. Para um pedido novo, use outra chave.',
    },
    en: {
      meaning: 'The key id_externo is that of an order that cannot be changed any more.',
      when: 'The content differs, and the order has begun, ended, was dispatched or grouped, or is a scheduled delivery of a company that you do not manage. One cancelled or not attended refuses the same content too.',
      remedy: 'Check the order that the message names. For a new order, use another key.',
    },
  },
  'external-id-ambiguous': {
    pt: {
      meaning: 'Mais de uma empresa tem um pedido com esta chave.',
      when: 'Um usuário da central procura por id_externo sem dizer de qual empresa.',
      remedy: 'Envie empresa_id; 0 são os pedidos sem empresa.',
    },
    en: {
      meaning: 'More than one company has an order with this key.',
      when: 'A user of the central looks for an id_externo without saying of which company.',
      remedy: 'Send empresa_id; 0 means the orders without a company.',
    },
  },
} as const satisfies Record<string, Help>;
