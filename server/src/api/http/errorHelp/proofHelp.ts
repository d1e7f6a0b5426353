import type { Help } from './help.ts';

/** Confirmation codes and proof. */
export const proofHelp = {
  'confirmation-code-required': {
    pt: {
      meaning: 'Falta o código de confirmação do destinatário.',
      when: 'A central exige o código para concluir a parada, e ele não foi enviado.',
      remedy: 'Peça o código ao destinatário e envie-o em codigo_confirmacao.',
    },
    en: {
      meaning: 'The confirmation code of the recipient is missing.',
      when: 'The central requires the code to conclude the stop, and it was not sent.',
      remedy: 'Ask the recipient for the code and send it in codigo_confirmacao.',
    },
  },
  'wrong-confirmation-code': {
    pt: {
      meaning: 'O código de confirmação está errado.',
      when: 'O código enviado não é o desta parada. A mensagem diz quantas tentativas restam.',
      remedy: 'Confira o código com o destinatário. Depois de cinco erros, a parada é bloqueada.',
    },
    en: {
      meaning: 'The confirmation code is wrong.',
      when: 'The code that was sent is not that of this stop. The message says how many attempts are left.',
      remedy: 'Check the code with the recipient. After five wrong ones the stop is locked.',
    },
  },
  'confirmation-code-locked': {
    pt: {
      meaning: 'A parada está bloqueada para códigos.',
      when: 'Cinco códigos errados foram enviados. Nem o código certo vale mais.',
      remedy: 'Fale com a central: um operador conclui a parada e informa o motivo.',
    },
    en: {
      meaning: 'The stop is locked for codes.',
      when: 'Five wrong codes were sent. Even the right code is no longer taken.',
      remedy: 'Talk to the central: an operator concludes the stop and gives the reason.',
    },
  },
  'proof-photo-missing': {
    pt: {
      meaning: 'Falta a foto da entrega.',
      when: 'A central ou a empresa exige uma foto, e nenhuma foi enviada para esta parada.',
      remedy: 'Envie a foto e conclua de novo.',
    },
    en: {
      meaning: 'The photo of the delivery is missing.',
      when: 'The central or the company requires a photo, and none was sent for this stop.',
      remedy: 'Send the photo and conclude again.',
    },
  },
  'proof-signature-missing': {
    pt: {
      meaning: 'Falta a assinatura de quem recebeu.',
      when: 'A central ou a empresa exige a assinatura, e nenhuma foi enviada para esta parada.',
      remedy: 'Envie a assinatura e conclua de novo.',
    },
    en: {
      meaning: 'The signature of who received it is missing.',
      when: 'The central or the company requires a signature, and none was sent for this stop.',
      remedy: 'Send the signature and conclude again.',
    },
  },
  'proof-name-missing': {
    pt: {
      meaning: 'Falta o nome de quem recebeu.',
      when: 'A central ou a empresa exige o nome, e ele não veio na conclusão.',
      remedy: 'Informe o nome e conclua de novo.',
    },
    en: {
      meaning: 'The name of who received it is missing.',
      when: 'The central or the company requires the name, and it did not come with the conclusion.',
      remedy: 'Give the name and conclude again.',
    },
  },
  'proof-amount-missing': {
    pt: {
      meaning: 'Falta o valor recebido.',
      when: 'A parada tem valor a cobrar, a central ou a empresa exige o valor recebido, e ele não veio.',
      remedy: 'Informe o valor, zero se nada foi pago, e conclua de novo.',
    },
    en: {
      meaning: 'The amount received is missing.',
      when: 'The stop has an amount to collect, the central or the company requires the amount received, and it did not come.',
      remedy: 'Give the amount, zero if nothing was paid, and conclude again.',
    },
  },
  'proof-payment-missing': {
    pt: {
      meaning: 'Falta como o destinatário pagou.',
      when: 'Um valor recebido veio sem uma forma que se paga na porta: dinheiro, Pix ou cartão.',
      remedy: 'Informe a forma e conclua de novo.',
    },
    en: {
      meaning: 'How the recipient paid is missing.',
      when: 'An amount received came without a form that is paid at the door: cash, Pix or card.',
      remedy: 'Give the form and conclude again.',
    },
  },
  'received-above-due': {
    pt: {
      meaning: 'O valor recebido passa do valor a cobrar.',
      when: 'O valor informado é maior do que esta parada ainda tem a receber.',
      remedy: 'Corrija o valor. Se foi recebido mesmo mais, um operador conclui e informa o motivo.',
    },
    en: {
      meaning: 'The amount received is above the amount due.',
      when: 'The amount given is more than this stop has left to collect.',
      remedy: 'Correct the amount. If more was really received, an operator concludes and gives the reason.',
    },
  },
  'proof-already-kept': {
    pt: {
      meaning: 'A parada já terminou com outra imagem.',
      when: 'Uma imagem diferente chegou depois do fim da parada, que já guarda uma do mesmo tipo.',
      remedy: 'Nada a fazer: a imagem guardada não é trocada.',
    },
    en: {
      meaning: 'The stop has already ended with another image.',
      when: 'A different image arrived after the end of the stop, which already has one of the same kind.',
      remedy: 'Nothing to do: the image that is kept is not replaced.',
    },
  },
  'proof-too-late': {
    pt: {
      meaning: 'A imagem chegou tarde demais.',
      when: 'A parada terminou há mais de 72 horas.',
      remedy: 'Nada a fazer. Entregue a imagem à central de outra forma, se ela precisar.',
    },
    en: {
      meaning: 'The image arrived too late.',
      when: 'The stop ended more than 72 hours ago.',
      remedy: 'Nothing to do. Give the image to the central in another way, if it needs it.',
    },
  },
  'proof-too-many': {
    pt: {
      meaning: 'A parada já guarda imagens demais.',
      when: 'Há 40 imagens da parada, contadas as de visitas anteriores.',
      remedy: 'Conclua sem outra imagem: a central pode concluir com um motivo.',
    },
    en: {
      meaning: 'The stop already has too many images.',
      when: 'There are 40 images of the stop, those of earlier visits included.',
      remedy: 'Conclude without another image: the central can conclude it with a reason.',
    },
  },
  'proof-erased': {
    pt: {
      meaning: 'Os dados do destinatário foram apagados.',
      when: 'Uma imagem chegou depois que os dados pessoais da parada foram apagados.',
      remedy: 'Nada a fazer: a parada não guarda mais imagens.',
    },
    en: {
      meaning: 'The data of the recipient was erased.',
      when: 'An image arrived after the personal data of the stop had been erased.',
      remedy: 'Nothing to do: the stop keeps no more images.',
    },
  },
} as const satisfies Record<string, Help>;
