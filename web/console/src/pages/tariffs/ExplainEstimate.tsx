import { useState } from 'react';
import { formatKm } from '../../../../shared/formats.ts';
import { MapView } from '../../../../shared/map/MapView.tsx';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type Body, call } from '../../api.ts';
import { useAreas, useCategories, useCompanies } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { CheckField, Choices, Field, SelectField } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { Money, PriceLines } from '../../ui/texts.tsx';
import { cornersOf } from '../areas/DrawingMap.tsx';

/** Explains the price of a trip that is clicked on the map, line by line. */
export function ExplainEstimate() {
  const t = useWords();
  const language = useLanguage();
  const areas = useAreas();
  const categories = useCategories();
  const companies = useCompanies();
  const [points, setPoints] = useState<Position[]>([]);
  const [form, setForm] = useState({ category: '', company: '', coupon: '', returning: false });
  const explain = useAction(() => call('operacao', 'POST /estimativas', { body: bodyOf(points, form) }));
  const place = (point: Position) =>
    setPoints((before) => (before.length > 10 ? [point] : [...before, point]));
  return (
    <section aria-labelledby="explain">
      <h2 id="explain">{t('Explicar uma estimativa', 'Explain an estimate')}</h2>
      <div className="explain">
        <div>
          <p className="soft">
            {t(
              'Clique no mapa: primeiro a coleta, depois cada parada.',
              'Click on the map: first the pickup, then each stop.',
            )}
          </p>
          <div className="columns">
            <SelectField
              label={t('Categoria', 'Category')}
              value={form.category}
              onChange={(event) => setForm({ ...form, category: event.target.value })}
            >
              <option value="">{t('A padrão da empresa', 'The company’s default')}</option>
              <Choices of={categories.data} />
            </SelectField>
            <SelectField
              label={t('Empresa', 'Company')}
              value={form.company}
              onChange={(event) => setForm({ ...form, company: event.target.value })}
            >
              <option value="">{t('Nenhuma', 'None')}</option>
              <Choices of={companies.data} />
            </SelectField>
            <Field
              label={t('Cupom', 'Coupon')}
              value={form.coupon}
              onChange={(event) => setForm({ ...form, coupon: event.target.value })}
            />
          </div>
          <CheckField
            label={t('Com retorno', 'With return')}
            checked={form.returning}
            onChange={(event) => setForm({ ...form, returning: event.target.checked })}
          />
          <div className="actions">
            <button
              type="button"
              className="primary"
              disabled={points.length < 2 || explain.isPending}
              onClick={() => explain.mutate()}
            >
              {t('Explicar', 'Explain')}
            </button>
            <button type="button" disabled={points.length === 0} onClick={() => setPoints([])}>
              {t('Limpar pontos', 'Clear points')}
            </button>
          </div>
          <ErrorBox error={explain.error} />
          {explain.data && (
            <>
              <p>
                {explain.data.categoria.nome} · {t('área', 'area')} {explain.data.area.nome} ·{' '}
                {t('tarifa', 'tariff')} {explain.data.tarifa.nome} ·{' '}
                {formatKm(explain.data.estimativa_km, language)} · {explain.data.estimativa_minutos} min
              </p>
              <table className="dense">
                <caption className="unseen">{t('De onde vem o valor', 'Where the price comes from')}</caption>
                <tbody>
                  <PriceLines lines={explain.data.linhas} />
                  <tr>
                    <th scope="row">{t('Valor', 'Price')}</th>
                    <td className="figures">
                      <strong>
                        <Money value={explain.data.estimativa_valor} />
                      </strong>
                    </td>
                  </tr>
                </tbody>
              </table>
            </>
          )}
        </div>
        <MapView
          label={t('Mapa para escolher os pontos', 'Map for choosing the points')}
          areas={(areas.data ?? []).map(({ id, nome, geometria }) => ({
            id,
            name: nome,
            shape: geometria,
          }))}
          points={points.map((point, index) => ({
            id: String(index),
            shape: index === 0 ? 'pickup' : 'stop',
            letter: index === 0 ? t('C', 'P') : String(index),
            label: index === 0 ? t('Coleta', 'Pickup') : `${t('Parada', 'Stop')} ${index}`,
            ...point,
          }))}
          around={cornersOf(areas.data ?? [])}
          aroundKey={String(areas.data?.length ?? 0)}
          onClick={place}
        />
      </div>
    </section>
  );
}

/** The interface requires addresses, though the price depends on the places alone. */
function bodyOf(
  points: readonly Position[],
  form: { category: string; company: string; coupon: string; returning: boolean },
): Body<'operacao', 'POST /estimativas'> {
  const [pickup, ...stops] = points;
  const last = stops.at(-1);
  return {
    endereco_partida: 'mapa',
    bairro_partida: 'mapa',
    cidade_partida: 'mapa',
    estado_partida: 'RS',
    endereco_desejado: 'mapa',
    bairro_desejado: 'mapa',
    cidade_desejado: 'mapa',
    estado_desejado: 'RS',
    lat_partida: pickup!.lat,
    lng_partida: pickup!.lng,
    lat_desejado: last!.lat,
    lng_desejado: last!.lng,
    latlng_paradas: stops
      .slice(0, -1)
      .map(({ lat, lng }) => `${lat},${lng}`)
      .join('|'),
    ...(form.category && { categoria_id: Number(form.category) }),
    ...(form.company && { empresa_id: form.company }),
    ...(form.coupon && { codigo_cupom: form.coupon }),
    com_retorno: form.returning,
  };
}
