// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

/** The refusals that every operation can give. */
export type CommonRefusal =
  | 'central-not-identified'
  | 'api-key-unknown'
  | 'bad-credentials'
  | 'token-not-valid'
  | 'not-allowed'
  | 'scope-missing'
  | 'too-many-attempts'
  | 'rate-limited'
  | 'bug'
  | 'unavailable'
  | 'logins-busy';

/** The refusals that every write can give as well. */
export type WriteRefusal =
  | 'invalid-input'
  | 'idempotency-key-reused'
  | 'body-encoded'
  | 'too-many-keys'
  | 'own-attempt-running'
  | 'outcome-unknown';

/** The refusals of each operation, by the name of the client's method. */
export interface Refusals {
  estimarEntrega:
    | CommonRefusal
    | 'invalid-input'
    | 'company-not-found'
    | 'category-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'body-encoded'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'coupon-invalid'
    | 'estimate-impossible'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  agruparProgramadas:
    | CommonRefusal
    | WriteRefusal
    | 'merge-in-progress'
    | 'grouped-automatically'
    | 'too-many-stops'
    | 'not-saved'
    | 'scheduled-not-found'
    | 'not-awaiting-dispatch'
    | 'body-too-slow'
    | 'grouping-in-progress'
    | 'too-few-orders'
    | 'body-too-large'
    | 'too-close-to-dispatch'
    | 'different-companies'
    | 'different-pickups'
    | 'estimate-impossible'
    | 'insufficient-balance'
    | 'bodies-busy';
  editarProgramada:
    | CommonRefusal
    | WriteRefusal
    | 'grouped-automatically'
    | 'company-manager-only'
    | 'scheduled-not-found'
    | 'scheduled-cancelled'
    | 'scheduled-dispatched'
    | 'scheduled-grouped'
    | 'delivery-grouped'
    | 'body-too-slow'
    | 'body-too-large'
    | 'company-inactive'
    | 'dispatch-in-the-past'
    | 'coupon-invalid'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'insufficient-balance'
    | 'wallet-needs-company'
    | 'estimate-impossible'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  obterProgramada: CommonRefusal | 'invalid-input' | 'scheduled-not-found' | 'bodies-busy';
  consultarEntregas:
    | CommonRefusal
    | 'invalid-input'
    | 'body-too-slow'
    | 'body-too-large'
    | 'body-encoded'
    | 'bodies-busy';
  recarregarCreditos:
    | CommonRefusal
    | WriteRefusal
    | 'company-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'company-ambiguous'
    | 'bodies-busy';
  agruparProgramadasEmEntrega:
    | CommonRefusal
    | WriteRefusal
    | 'merge-in-progress'
    | 'grouped-automatically'
    | 'too-many-stops'
    | 'not-saved'
    | 'scheduled-not-found'
    | 'delivery-not-found'
    | 'not-awaiting-dispatch'
    | 'not-in-progress'
    | 'body-too-slow'
    | 'grouping-in-progress'
    | 'too-few-orders'
    | 'body-too-large'
    | 'too-close-to-dispatch'
    | 'different-companies'
    | 'different-pickups'
    | 'estimate-impossible'
    | 'insufficient-balance'
    | 'bodies-busy';
  agruparEntregas:
    | CommonRefusal
    | WriteRefusal
    | 'too-many-stops'
    | 'not-saved'
    | 'delivery-not-found'
    | 'not-in-progress'
    | 'body-too-slow'
    | 'grouping-in-progress'
    | 'too-few-orders'
    | 'body-too-large'
    | 'different-companies'
    | 'different-pickups'
    | 'estimate-impossible'
    | 'insufficient-balance'
    | 'bodies-busy';
  cancelarEntrega:
    | CommonRefusal
    | WriteRefusal
    | 'delivery-not-found'
    | 'reason-not-found'
    | 'delivery-over'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy';
  listarProgramadas: CommonRefusal | 'invalid-input' | 'bodies-busy';
  criarProgramada:
    | CommonRefusal
    | WriteRefusal
    | 'company-not-found'
    | 'category-not-found'
    | 'quote-not-found'
    | 'quote-expired'
    | 'external-id-taken'
    | 'body-too-slow'
    | 'quote-used'
    | 'body-too-large'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'coupon-invalid'
    | 'insufficient-balance'
    | 'dispatch-in-the-past'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'wallet-needs-company'
    | 'estimate-impossible'
    | 'quote-differs'
    | 'quote-of-other-company'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  obterRecibo:
    | CommonRefusal
    | 'invalid-input'
    | 'delivery-not-found'
    | 'not-finished'
    | 'receipt-of-grouper'
    | 'bodies-busy';
  obterLinksRastreio: CommonRefusal | 'invalid-input' | 'delivery-not-found' | 'bodies-busy';
  removerParadaProgramada:
    | CommonRefusal
    | WriteRefusal
    | 'grouped-automatically'
    | 'scheduled-not-found'
    | 'stop-not-found'
    | 'scheduled-cancelled'
    | 'scheduled-dispatched'
    | 'scheduled-grouped'
    | 'scheduled-failed'
    | 'last-stop';
  listarAreasAtuacao: CommonRefusal | 'bodies-busy';
  obterSaldo: CommonRefusal | 'invalid-input' | 'company-not-found' | 'company-ambiguous' | 'bodies-busy';
  cancelarProgramada:
    | CommonRefusal
    | WriteRefusal
    | 'scheduled-not-found'
    | 'still-awaiting-dispatch'
    | 'scheduled-cancelled'
    | 'scheduled-grouped'
    | 'grouper-needs-stop'
    | 'delivery-over'
    | 'delivery-grouped';
  obterStatus: CommonRefusal | 'invalid-input' | 'delivery-not-found' | 'bodies-busy';
  criarEntrega:
    | CommonRefusal
    | WriteRefusal
    | 'company-not-found'
    | 'category-not-found'
    | 'quote-not-found'
    | 'quote-expired'
    | 'external-id-taken'
    | 'body-too-slow'
    | 'quote-used'
    | 'body-too-large'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'coupon-invalid'
    | 'insufficient-balance'
    | 'wallet-needs-company'
    | 'estimate-impossible'
    | 'quote-differs'
    | 'quote-of-other-company'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  criarEntregasEmLote:
    | CommonRefusal
    | WriteRefusal
    | 'body-too-slow'
    | 'body-too-large'
    | 'items-refused'
    | 'bodies-busy'
    | 'too-much-at-once';
  criarProgramadasEmLote:
    | CommonRefusal
    | WriteRefusal
    | 'body-too-slow'
    | 'body-too-large'
    | 'items-refused'
    | 'bodies-busy'
    | 'too-much-at-once';
  obterStatusEmLote:
    | CommonRefusal
    | 'invalid-input'
    | 'body-too-slow'
    | 'body-too-large'
    | 'body-encoded'
    | 'bodies-busy';
  cancelarEntregasEmLote:
    | CommonRefusal
    | WriteRefusal
    | 'reason-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy'
    | 'too-much-at-once';
  cancelarProgramadasEmLote:
    | CommonRefusal
    | WriteRefusal
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy'
    | 'too-much-at-once';
  criarCotacao:
    | CommonRefusal
    | WriteRefusal
    | 'company-not-found'
    | 'category-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'coupon-invalid'
    | 'dispatch-in-the-past'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'estimate-impossible'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  estimarEntregaSemEmpresa:
    | CommonRefusal
    | 'invalid-input'
    | 'category-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'body-encoded'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'coupon-invalid'
    | 'estimate-impossible'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  obterEntrega: CommonRefusal | 'invalid-input' | 'delivery-not-found' | 'bodies-busy';
  editarEntrega:
    | CommonRefusal
    | WriteRefusal
    | 'delivery-not-found'
    | 'company-not-found'
    | 'category-not-found'
    | 'delivery-grouped'
    | 'delivery-over'
    | 'delivery-started'
    | 'delivery-carries-others'
    | 'body-too-slow'
    | 'body-too-large'
    | 'company-fixed'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'coupon-invalid'
    | 'insufficient-balance'
    | 'wallet-needs-company'
    | 'estimate-impossible'
    | 'too-many-wrong-coupons'
    | 'bodies-busy'
    | 'geocoding-unavailable';
  obterDetalhesEntrega: CommonRefusal | 'invalid-input' | 'delivery-not-found' | 'bodies-busy';
  removerParadaEntrega:
    | CommonRefusal
    | WriteRefusal
    | 'delivery-not-found'
    | 'removed-stop-not-found'
    | 'removed-stop-grouped'
    | 'removed-stop-over'
    | 'removed-stop-concluded'
    | 'removed-stop-last';
  obterPosicaoCondutor: CommonRefusal | 'invalid-input' | 'delivery-not-found' | 'bodies-busy';
  obterEntregaPorIdExterno:
    | CommonRefusal
    | 'invalid-input'
    | 'delivery-not-found'
    | 'external-id-ambiguous'
    | 'bodies-busy';
  obterProgramadaPorIdExterno:
    | CommonRefusal
    | 'invalid-input'
    | 'scheduled-not-found'
    | 'external-id-ambiguous'
    | 'bodies-busy';
  sacarCreditos:
    | CommonRefusal
    | WriteRefusal
    | 'company-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'company-ambiguous'
    | 'insufficient-balance'
    | 'bodies-busy';
  listarWebhooks: CommonRefusal | 'invalid-input' | 'bodies-busy';
  criarWebhook:
    | CommonRefusal
    | WriteRefusal
    | 'too-many-webhooks'
    | 'too-many-records'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy';
  obterWebhook: CommonRefusal | 'invalid-input' | 'webhook-not-found' | 'bodies-busy';
  alterarWebhook:
    | CommonRefusal
    | WriteRefusal
    | 'webhook-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy';
  excluirWebhook: CommonRefusal | WriteRefusal | 'webhook-not-found';
  obterStatusWebhook: CommonRefusal | 'invalid-input' | 'webhook-not-found' | 'bodies-busy';
  trocarSegredoWebhook: CommonRefusal | WriteRefusal | 'webhook-not-found';
  testarWebhook:
    | CommonRefusal
    | WriteRefusal
    | 'webhook-not-found'
    | 'webhook-asleep'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy';
  listarEnvios: CommonRefusal | 'invalid-input' | 'webhook-not-found' | 'bodies-busy';
  reenviarEnvio: CommonRefusal | WriteRefusal | 'message-not-found' | 'message-outdated';
  reenviarEnvios:
    | CommonRefusal
    | WriteRefusal
    | 'replay-too-large'
    | 'webhook-not-found'
    | 'body-too-slow'
    | 'body-too-large'
    | 'bodies-busy';
  obterAmbienteDeTeste: CommonRefusal | 'only-in-sandbox' | 'bodies-busy';
  apagarAmbienteDeTeste: CommonRefusal | 'invalid-input' | 'only-in-sandbox' | 'body-encoded' | 'bodies-busy';
  adiantarRelogio:
    | CommonRefusal
    | WriteRefusal
    | 'only-in-sandbox'
    | 'body-too-slow'
    | 'body-too-large'
    | 'clock-too-far'
    | 'bodies-busy';
  acompanharEventos: CommonRefusal | 'invalid-input' | 'too-many-listeners' | 'bodies-busy';
  testarEventos: CommonRefusal | WriteRefusal | 'body-too-slow' | 'body-too-large' | 'bodies-busy';
  listarRequisicoes: CommonRefusal | 'invalid-input' | 'bodies-busy';
  obterRequisicao: CommonRefusal | 'invalid-input' | 'record-not-found' | 'bodies-busy';
}

/** The stable names of all refusals, as the header `X-Error-Kind` has them. */
export type ErrorKind = Refusals[keyof Refusals] | 'route-not-found' | 'method-not-allowed';
