import { useRef } from 'react';
import { counted } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Body, call, readPages } from '../../api.ts';
import { type Area, useAreas } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { Link, usePlace, withQuery } from '../../router.tsx';
import { IfMay, useMay } from '../../session.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { AreaEditor } from './AreaEditor.tsx';
import { cornersOf, DrawingMap } from './DrawingMap.tsx';

/** The areas where the central works. The pickup's area decides the tariff. */
export function AreasPage() {
  const t = useWords();
  const areas = useAreas();
  const mayChange = useMay('tariffs');
  const asked = usePlace().query.get('area');
  const wanted = mayChange ? asked : null;
  return (
    <>
      <header className="page-head">
        <h1>{t('Áreas de atuação', 'Operating areas')}</h1>
        <div className="actions">
          <FileActions />
          <IfMay permission="tariffs">
            <Link className="button primary" to={withQuery({ area: 'nova' })}>
              {t('Desenhar área', 'Draw an area')}
            </Link>
          </IfMay>
        </div>
      </header>
      <Loaded query={areas}>
        {(all) => {
          const area = all.find(({ id }) => id === wanted);
          if (wanted === 'nova' || area)
            return (
              <AreaEditor key={wanted} area={area ?? null} areas={all.filter((each) => each !== area)} />
            );
          return <Overview areas={all} />;
        }}
      </Loaded>
    </>
  );
}

function Overview({ areas }: { areas: readonly Area[] }) {
  const t = useWords();
  const mayChange = useMay('tariffs');
  if (areas.length === 0)
    return (
      <Empty title={t('Nenhuma área ainda', 'No area yet')}>
        {t(
          'Sem área a central não atende nenhum endereço. Desenhe a primeira no mapa ou importe um arquivo GeoJSON.',
          'Without an area the central serves no address. Draw the first one on the map, or import a GeoJSON file.',
        )}
      </Empty>
    );
  return (
    <div className="areas">
      <ul className="area-list">
        {areas.map(({ id, nome, padrao }) => (
          <li key={id}>
            {mayChange ? <Link to={withQuery({ area: id })}>{nome}</Link> : nome}
            {padrao && <Badge letter="P" label={t('Padrão', 'Default')} tone="f" />}
          </li>
        ))}
      </ul>
      <DrawingMap
        areas={areas}
        drawing={null}
        onDraw={() => undefined}
        around={cornersOf(areas)}
        aroundKey={areas.map(({ id }) => id).join()}
      />
    </div>
  );
}

function FileActions() {
  const t = useWords();
  const picker = useRef<HTMLInputElement>(null);
  const download = useAction(async () => {
    const pages = await readPages(
      (query) => call('operacao', 'GET /areas-atuacao/exportar', { query }),
      ({ features }) => features.length,
    );
    const collection = {
      type: 'FeatureCollection',
      features: pages.flatMap(({ features }) => features),
    };
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([JSON.stringify(collection)], { type: 'application/geo+json' }));
    link.download = 'areas.geojson';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  const upload = useAction(
    async (file: File) => {
      const text = await file.text();
      let collection: unknown;
      try {
        collection = JSON.parse(text);
      } catch {
        throw new Error(t('O arquivo não é JSON.', 'The file is not JSON.'));
      }
      return call('operacao', 'POST /areas-atuacao/importar', {
        body: collection as Body<'operacao', 'POST /areas-atuacao/importar'>,
      });
    },
    {
      done: (saved) =>
        t(
          `${counted(saved.length, 'área importada', 'áreas importadas')}.`,
          `${counted(saved.length, 'area', 'areas')} imported.`,
        ),
      refresh: ['areas'],
    },
  );
  return (
    <>
      <ErrorBox error={download.error ?? upload.error} />
      <button type="button" disabled={download.isPending} onClick={() => download.mutate()}>
        {t('Exportar GeoJSON', 'Export GeoJSON')}
      </button>
      <IfMay permission="tariffs">
        <button type="button" disabled={upload.isPending} onClick={() => picker.current?.click()}>
          {upload.isPending ? t('Importando…', 'Importing…') : t('Importar GeoJSON', 'Import GeoJSON')}
        </button>
      </IfMay>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".geojson,.json,application/geo+json"
        aria-label={t('Arquivo GeoJSON', 'GeoJSON file')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) upload.mutate(file);
          event.target.value = '';
        }}
      />
    </>
  );
}
