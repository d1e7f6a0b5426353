import { useState } from 'react';
import { useAction } from '../../action.ts';
import { call } from '../../api.ts';
import { type ScheduledWithStory, useScheduled } from '../../data/scheduled.ts';
import { useEntryDraft } from '../../draft.ts';
import { fieldErrors } from '../../fieldErrors.ts';
import { localInputs } from '../../formats.ts';
import { go, Link, usePlace } from '../../router.tsx';
import { useSession } from '../../session.tsx';
import { ORDER_PAYMENTS, paymentLabel } from '../../statuses.ts';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { MapView } from '../../ui/map/MapView.tsx';
import { useWords } from '../../words.ts';
import { type EditForm, type EditStop, emptyStop, formOf, toReplacement } from './editForm.ts';
import './scheduled.css';

const STOPS_MAX = 10;

/** Contract 4.3: the whole order is replaced, by the company's manager, before dispatch. */
export function EditScheduledPage() {
  const id = usePlace().path.split('/')[2] ?? '';
  const t = useWords();
  const scheduled = useScheduled(id);
  return (
    <>
      <p>
        <Link to={`/programadas/${id}`}>
          ‹ {t('Programada', 'Scheduled')} #{id}
        </Link>
      </p>
      <h1>{t(`Editar a programada #${id}`, `Edit scheduled delivery #${id}`)}</h1>
      <Loaded query={scheduled}>{(one) => <Form one={one} />}</Loaded>
    </>
  );
}

function Form({ one }: { one: ScheduledWithStory }) {
  const t = useWords();
  const { fuso_horario: zone } = useSession().central;
  const id = one.id_mch_programada;
  const at = localInputs(Date.parse(one.disparo_em), zone);
  const [form, setForm, forget] = useEntryDraft<EditForm>(`programada.${id}`, formOf(one, at.date, at.time));
  /** What a click on the map places: the pickup, or the stop of this number. */
  const [placing, setPlacing] = useState<number | 'pickup' | null>(null);
  const save = useAction(
    () => call('integracao', 'PUT /entregas/programadas/{id}', { id, body: toReplacement(form) }),
    {
      done: t(`#${id} alterada; a estimativa foi refeita.`, `#${id} changed; estimated again.`),
      refresh: ['scheduled'],
      onDone: () => {
        forget();
        go(`/programadas/${id}`);
      },
    },
  );
  const errors = fieldErrors(save.error);
  const change = (changes: Partial<EditForm>) => setForm((before) => ({ ...before, ...changes }));
  const changeStop = (index: number, changes: Partial<EditStop>) =>
    setForm((before) => ({
      ...before,
      stops: before.stops.map((stop, at) => (at === index ? { ...stop, ...changes } : stop)),
    }));
  const place = (lat: number, lng: number) => {
    const where = { lat: lat.toFixed(6), lng: lng.toFixed(6) };
    if (placing === 'pickup') change({ pickup: { ...form.pickup, ...where } });
    else if (placing !== null) changeStop(placing, where);
    setPlacing(null);
  };
  const spots = [form.pickup, ...form.stops].map(({ lat, lng }) => ({ lat: Number(lat), lng: Number(lng) }));
  const placed = (spot: { lat: number; lng: number }) => Number.isFinite(spot.lat) && spot.lat !== 0;

  return (
    <form
      className="scheduled-detail"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div>
        <div className="columns">
          <Field
            label={t('Data do disparo', 'Dispatch date')}
            type="date"
            required
            value={form.date}
            error={errors.of('data')}
            onChange={(event) => change({ date: event.target.value })}
          />
          <Field
            label={t('Hora', 'Time')}
            type="time"
            required
            value={form.time}
            error={errors.of('hora')}
            onChange={(event) => change({ time: event.target.value })}
          />
          <SelectField
            label={t('Forma de pagamento', 'Payment')}
            value={form.payment}
            error={errors.of('forma_pagamento')}
            onChange={(event) => change({ payment: event.target.value })}
          >
            {ORDER_PAYMENTS.map((code) => (
              <option key={code} value={code}>
                {t(paymentLabel[code]!.pt, paymentLabel[code]!.en)}
              </option>
            ))}
          </SelectField>
        </div>
        <fieldset>
          <legend>{t('Coleta', 'Pickup')}</legend>
          <div className="columns">
            <Field
              label={t('Endereço', 'Address')}
              required
              value={form.pickup.address}
              error={errors.of('partida.endereco')}
              onChange={(event) => change({ pickup: { ...form.pickup, address: event.target.value } })}
            />
            <Field
              label={t('Bairro', 'District')}
              required
              value={form.pickup.district}
              error={errors.of('partida.bairro')}
              onChange={(event) => change({ pickup: { ...form.pickup, district: event.target.value } })}
            />
            <PlaceField
              spot={form.pickup}
              error={errors.of('partida.lat') ?? errors.of('partida.lng')}
              isPlacing={placing === 'pickup'}
              onPlace={() => setPlacing('pickup')}
            />
          </div>
        </fieldset>
        {form.stops.map((stop, index) => (
          <fieldset key={stop.key}>
            <legend>
              {t('Parada', 'Stop')} {index + 1}
            </legend>
            <div className="columns">
              <Field
                label={t('Endereço', 'Address')}
                required
                value={stop.address}
                error={errors.of(`paradas[${index}].endereco_parada`)}
                onChange={(event) => changeStop(index, { address: event.target.value })}
              />
              <Field
                label={t('Bairro', 'District')}
                required
                value={stop.district}
                error={errors.of(`paradas[${index}].bairro_parada`)}
                onChange={(event) => changeStop(index, { district: event.target.value })}
              />
              <Field
                label={t('Destinatário', 'Recipient')}
                value={stop.name}
                error={errors.of(`paradas[${index}].nome_cliente_parada`)}
                onChange={(event) => changeStop(index, { name: event.target.value })}
              />
              <Field
                label={t('Telefone', 'Phone')}
                type="tel"
                value={stop.phone}
                error={errors.of(`paradas[${index}].telefone_cliente_parada`)}
                onChange={(event) => changeStop(index, { phone: event.target.value })}
              />
              <PlaceField
                spot={stop}
                error={errors.of(`paradas[${index}].lat_parada`) ?? errors.of(`paradas[${index}].lng_parada`)}
                isPlacing={placing === index}
                onPlace={() => setPlacing(index)}
              />
            </div>
            {form.stops.length > 1 && (
              <button
                type="button"
                className="plain"
                onClick={() => change({ stops: form.stops.filter((_, at) => at !== index) })}
              >
                {t('Retirar esta parada', 'Take this stop out')}
              </button>
            )}
          </fieldset>
        ))}
        <div className="actions">
          {form.stops.length < STOPS_MAX && (
            <button type="button" onClick={() => change({ stops: [...form.stops, emptyStop()] })}>
              {t('Mais uma parada', 'One more stop')}
            </button>
          )}
        </div>
        <ErrorBox error={errors.rest} />
        <div className="actions">
          <button type="submit" className="primary" disabled={save.isPending}>
            {save.isPending ? t('Salvando…', 'Saving…') : t('Substituir a programada', 'Replace it')}
          </button>
          <button type="button" onClick={forget}>
            {t('Desfazer o que mudei', 'Undo my changes')}
          </button>
        </div>
        <p className="soft">
          {t(
            'Tudo é substituído: as paradas recebem novos ids, e quem pediu as que saem é avisado.',
            'Everything is replaced: stops get new ids, and who ordered those that leave is told.',
          )}
        </p>
      </div>
      <div>
        {placing !== null && (
          <p role="status" className="banner">
            {t('Clique no mapa onde fica.', 'Click on the map where it is.')}
          </p>
        )}
        <MapView
          label={t('Mapa da coleta e das paradas', 'Map of pickup and stops')}
          points={spots.filter(placed).map((spot, index) => ({
            id: String(index),
            shape: index === 0 ? 'pickup' : 'stop',
            letter: index === 0 ? t('C', 'P') : String(index),
            label: index === 0 ? t('Coleta', 'Pickup') : `${t('Parada', 'Stop')} ${index}`,
            ...spot,
          }))}
          around={spots.filter(placed)}
          onClick={({ lat, lng }) => place(lat, lng)}
        />
      </div>
    </form>
  );
}

function PlaceField({
  spot,
  error,
  isPlacing,
  onPlace,
}: {
  spot: { lat: string; lng: string };
  error: string | undefined;
  isPlacing: boolean;
  onPlace: () => void;
}) {
  const t = useWords();
  return (
    <div className="field">
      <span className="soft">{t('Lugar', 'Place')}</span>
      <div className="actions">
        <span className="number">{spot.lat ? `${spot.lat}, ${spot.lng}` : '—'}</span>
        <button type="button" aria-pressed={isPlacing} onClick={onPlace}>
          {t('Marcar no mapa', 'Mark on the map')}
        </button>
      </div>
      {error && <p className="field-error">{error}</p>}
    </div>
  );
}
