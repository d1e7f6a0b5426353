import { formatKm, formatMoney, formatPhone } from '../../../../shared/formats.ts';
import { paymentLabel } from '../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type DeliveryDetail, usePositions, useReceipt } from '../../data/deliveries.ts';
import { pathToDriver } from '../../data/registers.ts';
import { failureReasonLabel } from '../../failureWords.ts';
import { Link } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { DemandFacts } from '../../ui/DemandTexts.tsx';
import { Fact, Money, TimeAgo } from '../../ui/texts.tsx';
import { pathOf } from './Proof.tsx';

/** Driver, order and receipt of a delivery. */
export function Facts({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <>
      <DriverFacts delivery={delivery} />
      <OrderFacts delivery={delivery} />
      {delivery.status === 'F' && <ReceiptFacts delivery={delivery} />}
    </>
  );
}

function DriverFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const mayReadDrivers = useMay('registers-read');
  const driver = delivery.condutor;
  const seen = usePositions().data?.find(({ condutor_id }) => condutor_id === driver?.id)?.posicao;
  return (
    <section className="panel" aria-labelledby="driver">
      <h2 id="driver">{t('Entregador', 'Driver')}</h2>
      {driver ? (
        <dl className="facts">
          <Fact name={t('Nome', 'Name')}>
            {mayReadDrivers ? (
              <Link to={pathToDriver(driver.id, driver.nome)}>{driver.nome}</Link>
            ) : (
              driver.nome
            )}
            {driver.simulado && <span className="mark inline">{t('simulado', 'simulated')}</span>}
          </Fact>
          <Fact name={t('Telefone', 'Phone')}>
            <a href={`tel:+55${driver.telefone}`}>{formatPhone(driver.telefone)}</a>
          </Fact>
          <Fact name={t('Veículo', 'Vehicle')}>
            {[driver.veiculo, driver.cor, driver.placa].filter(Boolean).join(' · ')}
          </Fact>
          <Fact name={t('Posição', 'Position')}>{seen && <TimeAgo at={seen.em} />}</Fact>
        </dl>
      ) : (
        <p className="soft">{t('Ninguém ainda.', 'Nobody yet.')}</p>
      )}
    </section>
  );
}

function OrderFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const language = useLanguage();
  const payment = paymentLabel[delivery.tipo_pagamento];
  return (
    <section className="panel" aria-labelledby="order">
      <h2 id="order">{t('Pedido', 'Order')}</h2>
      <dl className="facts">
        <Fact name={t('Cliente', 'Customer')}>{delivery.nome_cliente}</Fact>
        <Fact name={t('Telefone', 'Phone')}>
          {delivery.telefone_cliente && formatPhone(delivery.telefone_cliente)}
        </Fact>
        <Fact name={t('Categoria', 'Category')}>
          {delivery.categoria.nome} · {delivery.tarifa}
        </Fact>
        <Fact name={t('Valor', 'Price')}>
          <Money value={delivery.valor} />
          {delivery.valor !== delivery.valor_original && (
            <span className="soft">
              {' '}
              {t('de', 'of')} {formatMoney(delivery.valor_original)}, {t('cupom', 'coupon')}{' '}
              {delivery.codigo_cupom} ({delivery.desconto}%)
            </span>
          )}
        </Fact>
        <Fact name={t('Pagamento', 'Payment')}>
          {payment ? t(payment.pt, payment.en) : delivery.tipo_pagamento}
        </Fact>
        <Fact name={t('Previsto', 'Planned')}>
          {formatKm(delivery.km, language)} · {delivery.minutos} min
          {delivery.com_retorno && t(' · com retorno', ' · with return')}
        </Fact>
        <DemandFacts demands={delivery.exigencias} />
        <Fact name={t('Código de quem pediu', "Customer's code")}>{delivery.id_externo}</Fact>
        <Fact name={t('Aberta', 'Opened')}>
          <TimeAgo at={delivery.solicitada_em} />
        </Fact>
        <Fact name={t('Observação', 'Note')}>{delivery.observacao}</Fact>
        <Fact name={t('Motivo', 'Reason')}>{delivery.motivo_cancelamento?.nome}</Fact>
        <Fact name={t('Taxa de cancelamento', 'Cancellation fee')}>
          {delivery.taxa_cancelamento && <Money value={delivery.taxa_cancelamento} />}
        </Fact>
      </dl>
    </section>
  );
}

function ReceiptFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const language = useLanguage();
  const { data: receipt } = useReceipt(delivery.id, true);
  if (!receipt) return null;
  const sums = collected(delivery);
  const { valor, valor_original, duracao, distancia, tarifa } = receipt.dados_solicitacao;
  return (
    <section className="panel" aria-labelledby="receipt">
      <h2 id="receipt">{t('Recibo', 'Receipt')}</h2>
      <dl className="facts">
        <Fact name={t('Valor', 'Amount')}>
          <Money value={valor} />
        </Fact>
        <Fact name={t('Antes do desconto', 'Before discount')}>
          {valor !== valor_original && <Money value={valor_original} />}
        </Fact>
        <Fact name={t('Duração', 'Duration')}>{duracao}</Fact>
        <Fact name={t('Distância', 'Distance')}>{formatKm(distancia, language)}</Fact>
        <Fact name={t('Tarifa', 'Tariff')}>{tarifa}</Fact>
        <Fact name={t('Recebido por', 'Received by')}>{receivers(delivery)}</Fact>
        <Fact name={t('Cobrado dos destinatários', 'Collected from recipients')}>
          {sums.length > 0 &&
            sums.map(({ form, cents }) => (
              <span key={form} className="collected">
                <Money value={(cents / 100).toFixed(2)} /> {paymentLabel[form]?.[language]}{' '}
              </span>
            ))}
        </Fact>
        <Fact name={t('Tentativas sem entrega', 'Failed attempts')}>
          {delivery.paradas.some(({ tentativas }) => tentativas.length > 0) && (
            <FailedAttempts delivery={delivery} />
          )}
        </Fact>
        <Fact name={t('Finalizada', 'Finished')}>
          <TimeAgo at={delivery.finalizada_em} />
        </Fact>
      </dl>
    </section>
  );
}

/** The failed attempts by stop: reason, time and photo. */
function FailedAttempts({ delivery: { paradas } }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const language = useLanguage();
  return (
    <ul className="attempts">
      {paradas.flatMap((stop) =>
        stop.tentativas.map(({ numero, motivo, em, comprovantes }) => {
          const photo = comprovantes.find(({ tipo }) => tipo === 'foto');
          return (
            <li key={`${stop.id} ${numero}`}>
              {t(`Parada ${stop.ordem + 1}: `, `Stop ${stop.ordem + 1}: `)}
              {failureReasonLabel[motivo][language]} · <TimeAgo at={em} only="clock" />
              {photo && (
                <>
                  {' '}
                  <a href={pathOf(photo)} target="_blank" rel="noreferrer">
                    {t('foto', 'photo')}
                  </a>
                </>
              )}
            </li>
          );
        }),
      )}
    </ul>
  );
}

const receivers = ({ paradas }: DeliveryDetail): string =>
  paradas
    .map(({ recebido_por }) => recebido_por)
    .filter(Boolean)
    .join(', ');

/** The amounts collected, by form of payment. Cash is taken from the drivers' accounts, which include all of it. */
function collected({ paradas, dinheiro_recebido }: DeliveryDetail): { form: string; cents: number }[] {
  const sums = new Map<string, number>();
  for (const { valor_recebido: amount, forma_recebimento: form } of paradas)
    if (amount !== null && form !== null)
      sums.set(form, (sums.get(form) ?? 0) + Math.round(Number(amount) * 100));
  if (dinheiro_recebido !== null) sums.set('D', Math.round(Number(dinheiro_recebido) * 100));
  return [...sums].map(([form, cents]) => ({ form, cents })).filter(({ cents }) => cents > 0);
}
