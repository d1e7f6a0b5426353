import { useState } from 'react';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import type { Area } from '../../data/registers.ts';
import { fieldErrors, useAction, useEntryDraft } from '../../form.ts';
import { go } from '../../router.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import {
  activeRing,
  addHole,
  addPiece,
  addPoint,
  cornersOf,
  type Drawing,
  DrawingMap,
  drawingOf,
  emptyDrawing,
  HANDLES_MAX,
  movePoint,
  removePoint,
  removeRing,
  shapeOf,
} from './DrawingMap.tsx';
import { readCoordinates, readDegrees } from './readCoordinates.ts';

interface AreaForm {
  name: string;
  isDefault: boolean;
  drawing: Drawing;
}

/** Draws a new area or changes one. The draft is kept until it is saved. */
export function AreaEditor({ area, areas }: { area: Area | null; areas: readonly Area[] }) {
  const t = useWords();
  const [form, setForm, forget, assertCurrent] = useEntryDraft<AreaForm>(
    `area.${area?.id ?? 'nova'}`,
    {
      name: area?.nome ?? '',
      isDefault: area?.padrao ?? areas.length === 0,
      drawing: area ? drawingOf(area.geometria) : emptyDrawing,
    },
    ['areas'],
  );
  const { name, isDefault, drawing } = form;
  const draw = (change: (before: Drawing) => Drawing) =>
    setForm((before) => ({ ...before, drawing: change(before.drawing) }));
  const save = useAction(
    async (): Promise<unknown> => {
      const body = { nome: name, padrao: isDefault, geometria: shapeOf(drawing) };
      if (!area) return call('operacao', 'POST /areas-atuacao', { body });
      await assertCurrent();
      return call('operacao', 'PUT /areas-atuacao/{id}', { id: area.id, body });
    },
    {
      done: t('Área salva.', 'Area saved.'),
      refresh: ['areas'],
      onDone: forget,
      leave: () => go('/areas'),
    },
  );
  const errors = fieldErrors(save.error, (field) => field === 'nome');
  const ring = activeRing(drawing);

  return (
    <div className="areas">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <p className="soft">
          {drawing.isClosed
            ? t(
                'Arraste os pontos; um clique no mapa acrescenta um ponto na borda mais próxima.',
                'Drag the points; a click on the map adds one to the nearest edge.',
              )
            : t(
                'Clique no mapa para marcar o contorno, ponto por ponto. Um clique no primeiro ponto o fecha.',
                'Click on the map to mark the outline, point by point. A click on the first point closes it.',
              )}
        </p>
        <Field
          label={t('Nome', 'Name')}
          required
          value={name}
          error={errors.of('nome')}
          onChange={(event) => setForm((before) => ({ ...before, name: event.target.value }))}
        />
        <CheckField
          label={t('Área padrão', 'Default area')}
          hint={t('Onde áreas se sobrepõem, vale por último.', 'Where areas overlap, it counts last.')}
          checked={isDefault}
          onChange={(event) => setForm((before) => ({ ...before, isDefault: event.target.checked }))}
        />
        <RingTools drawing={drawing} onDraw={draw} />
        <PointList drawing={drawing} onDraw={draw} />
        {ring.length > HANDLES_MAX && (
          <p className="soft">
            {t(
              `Este contorno tem ${ring.length} pontos: mude-o no arquivo GeoJSON.`,
              `This outline has ${ring.length} points: change it in the GeoJSON file.`,
            )}
          </p>
        )}
        <ErrorBox error={errors.rest} />
        <div className="actions">
          <button type="submit" className="primary" disabled={save.isPending}>
            {save.isPending ? t('Salvando…', 'Saving…') : t('Salvar área', 'Save area')}
          </button>
          <button
            type="button"
            onClick={() => {
              forget();
              go('/areas');
            }}
          >
            {t('Descartar', 'Discard')}
          </button>
          {area && (
            <ConfirmButton
              label={t('Excluir', 'Delete')}
              title={t(`Excluir ${area.nome}?`, `Delete ${area.nome}?`)}
              what={t(
                'Endereços que só ela cobre deixam de ser atendidos.',
                'Addresses that only it covers are no longer served.',
              )}
              act={t('Excluir área', 'Delete area')}
              danger
              onConfirm={() => call('operacao', 'DELETE /areas-atuacao/{id}', { id: area.id })}
              done={t('Área excluída.', 'Area deleted.')}
              refresh={['areas']}
              leave={() => go('/areas')}
            />
          )}
        </div>
      </form>
      <DrawingMap
        areas={areas}
        drawing={drawing}
        onDraw={draw}
        around={cornersOf(area ? [area] : areas)}
        aroundKey="start"
      />
    </div>
  );
}

interface Tools {
  drawing: Drawing;
  onDraw: (change: (before: Drawing) => Drawing) => void;
}

function RingTools({ drawing, onDraw }: Tools) {
  const t = useWords();
  const ring = activeRing(drawing);
  const rings = drawing.pieces.flatMap((some, piece) => some.map((_, index) => ({ piece, ring: index })));
  const nameOf = (piece: number, index: number) => {
    const part = drawing.pieces.length > 1 ? ` ${piece + 1}` : '';
    return index === 0
      ? `${t('Contorno', 'Outline')}${part}`
      : `${t('Buraco', 'Hole')} ${index}${part && ` (${t('contorno', 'outline')}${part})`}`;
  };
  return (
    <>
      {rings.length > 1 && (
        <fieldset>
          <legend>{t('Desenhando', 'Drawing')}</legend>
          {rings.map(({ piece, ring: index }) => (
            <div className="field check" key={`${piece} ${index}`}>
              <input
                type="radio"
                name="ring"
                id={`ring-${piece}-${index}`}
                checked={piece === drawing.piece && index === drawing.ring}
                onChange={() => onDraw((before) => ({ ...before, piece, ring: index, isClosed: true }))}
              />
              <label htmlFor={`ring-${piece}-${index}`}>{nameOf(piece, index)}</label>
            </div>
          ))}
        </fieldset>
      )}
      <div className="actions tools">
        {!drawing.isClosed && (
          <>
            <button
              type="button"
              disabled={ring.length === 0}
              onClick={() => onDraw((before) => removePoint(before, activeRing(before).length - 1))}
            >
              {t('Desfazer ponto', 'Undo point')}
            </button>
            <button
              type="button"
              disabled={ring.length < 3}
              onClick={() => onDraw((before) => ({ ...before, isClosed: true }))}
            >
              {t('Fechar contorno', 'Close outline')}
            </button>
          </>
        )}
        {drawing.isClosed && (
          <>
            <button type="button" onClick={() => onDraw(addHole)}>
              {t('Abrir buraco', 'Cut a hole')}
            </button>
            <button type="button" onClick={() => onDraw(addPiece)}>
              {t('Outro contorno', 'Another outline')}
            </button>
          </>
        )}
        <button type="button" onClick={() => onDraw(removeRing)}>
          {t('Apagar este contorno', 'Erase this outline')}
        </button>
      </div>
    </>
  );
}

/** Points have no identity other than their index in the ring. */
const numbered = (ring: readonly Position[]) => ring.map((point, index) => ({ index, point }));

/** The points as a list, for the keyboard and for exact coordinates. */
function PointList({ drawing, onDraw }: Tools) {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const [isUnread, setUnread] = useState(false);
  const ring = activeRing(drawing);
  const add = () => {
    const position = readCoordinates(typed);
    setUnread(!position);
    if (!position) return;
    onDraw((before) => addPoint(before, position));
    setTyped('');
  };
  return (
    <details>
      <summary>
        {ring.length} {t('pontos', 'points')}
      </summary>
      <ol className="point-list">
        {numbered(ring.slice(0, HANDLES_MAX)).map(({ index, point }) => (
          <li key={index}>
            <DegreesInput
              label={t(`Latitude do ponto ${index + 1}`, `Latitude of point ${index + 1}`)}
              degrees={point.lat}
              most={90}
              onChange={(lat) => onDraw((before) => movePoint(before, index, { ...point, lat }))}
            />
            <DegreesInput
              label={t(`Longitude do ponto ${index + 1}`, `Longitude of point ${index + 1}`)}
              degrees={point.lng}
              most={180}
              onChange={(lng) => onDraw((before) => movePoint(before, index, { ...point, lng }))}
            />
            <button
              type="button"
              className="icon"
              aria-label={t(`Apagar o ponto ${index + 1}`, `Erase point ${index + 1}`)}
              onClick={() => onDraw((before) => removePoint(before, index))}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <div className="actions">
        <input
          aria-label={t('Novo ponto: latitude, longitude', 'New point: latitude, longitude')}
          aria-invalid={isUnread}
          placeholder="-30.03, -51.22"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setUnread(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" onClick={add}>
          {t('Acrescentar', 'Add')}
        </button>
      </div>
      {isUnread && (
        <p role="alert" className="error">
          {t(
            'Digite latitude e longitude em graus, como -30.03, -51.22.',
            'Type latitude and longitude in degrees, such as -30.03, -51.22.',
          )}
        </p>
      )}
    </details>
  );
}

/** Keeps what is typed until it is left, so that a sign or a comma can be typed before its digits. */
function DegreesInput({
  label,
  degrees,
  most,
  onChange,
}: {
  label: string;
  degrees: number;
  most: 90 | 180;
  onChange: (degrees: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      aria-label={label}
      inputMode="text"
      value={typed ?? String(degrees)}
      aria-invalid={typed !== null && readDegrees(typed, most) === undefined}
      onChange={(event) => {
        setTyped(event.target.value);
        const read = readDegrees(event.target.value, most);
        if (read !== undefined) onChange(read);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
