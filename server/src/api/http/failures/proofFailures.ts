import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** The proof of a hand-over. */
export const proofFailures = {
  'proof-not-found': fail(
    404,
    'não há comprovante neste endereço, ou o link expirou',
    'there is no proof at this address, or the link has expired',
  ),
  'proof-already-kept': fail(
    409,
    'a parada já terminou com outra imagem, que não pode mais ser trocada',
    'the stop has already ended with another image, which can no longer be replaced',
  ),
  'proof-erased': fail(
    409,
    'os dados do destinatário desta parada foram apagados; ela não recebe mais comprovantes',
    "the data of this stop's recipient was erased; it takes no more proof",
  ),
  'proof-too-late': fail(
    409,
    'a parada terminou há mais de {hours} horas e não recebe mais imagens',
    'the stop ended more than {hours} hours ago and takes no more images',
  ),
  'proof-too-many': fail(
    409,
    'a parada já guarda {max} imagens e não recebe mais; a central pode concluí-la sem outra, com um motivo',
    'the stop already has {max} images and takes no more; the central can conclude it without another, with a reason',
  ),
  'proof-photo-missing': fail(
    422,
    'falta a foto da entrega; envie a foto e conclua de novo',
    'the photo of the handing over is missing; send the photo and conclude again',
  ),
  'proof-signature-missing': fail(
    422,
    'falta a assinatura de quem recebeu; envie a assinatura e conclua de novo',
    'the signature of who received it is missing; send the signature and conclude again',
  ),
  'proof-name-missing': fail(
    422,
    'falta o nome de quem recebeu; informe o nome e conclua de novo',
    'the name of who received it is missing; give the name and conclude again',
  ),
  'proof-amount-missing': fail(
    422,
    'falta o valor recebido; informe o valor, mesmo que nada tenha sido pago, e conclua de novo',
    'the amount received is missing; give the amount, even if nothing was paid, and conclude again',
  ),
  'proof-payment-missing': fail(
    422,
    'falta como o destinatário pagou (em dinheiro, por Pix ou com cartão); informe e conclua de novo',
    'how the recipient paid is missing (in cash, by Pix or by card); say so and conclude again',
  ),
  'received-above-due': fail(
    422,
    'o valor recebido é maior que o valor a receber nesta parada ({dueCents}); corrija o valor e conclua de novo. Se recebeu mesmo mais, peça à central: um operador conclui a parada e informa o motivo',
    'the amount received is above what this stop collects ({dueCents}); correct the amount and conclude again. If more was really received, ask the central: an operator concludes the stop and gives the reason',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
