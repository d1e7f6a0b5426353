import { useNow } from '../../../../shared/clock.ts';
import { counted, formatAge } from '../../../../shared/formats.ts';
import { initials } from '../../../../shared/map/mapPoint.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type DriverAtWork, usePositions } from '../../data/deliveries.ts';
import { pathToDriver } from '../../data/registers.ts';
import { Link, withQuery } from '../../router.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';
import { OLD_MS } from './dayView.ts';

/** The drivers on duty, with their load and the time at which they are free. A delivery can be dropped on one. */
export function Drivers({ over, selected }: { over: string | null; selected: string | null }) {
  const t = useWords();
  const positions = usePositions();
  const all =
    useSteady(positions.data, {
      layoutOf: (drivers) => inService(drivers).map(({ condutor_id }) => condutor_id),
    }) ?? [];
  return (
    <section className="day-drivers" data-steady aria-labelledby="day-drivers">
      <h2 id="day-drivers">{t('Entregadores', 'Drivers')}</h2>
      <Loaded query={positions}>
        {() => {
          const drivers = inService(all);
          if (drivers.length === 0)
            return (
              <Empty title={t('Ninguém em serviço', 'Nobody is on duty')}>
                {t(
                  'Quem entra em serviço aparece aqui, com o que leva.',
                  'Whoever comes on duty appears here, with what they carry.',
                )}
              </Empty>
            );
          return (
            <ul>
              {drivers.map((driver) => (
                <Driver
                  key={driver.condutor_id}
                  driver={driver}
                  isOver={over === driver.condutor_id}
                  isSelected={selected !== null && driver.entregas.includes(selected)}
                />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Free drivers first, then by the time at which they are free. */
const inService = (all: readonly DriverAtWork[]): DriverAtWork[] =>
  all
    .filter(({ disponivel, entregas }) => disponivel || entregas.length > 0)
    .sort(
      (a, b) =>
        Number(a.entregas.length > 0) - Number(b.entregas.length > 0) ||
        (a.livre_em ?? '').localeCompare(b.livre_em ?? '') ||
        a.nome.localeCompare(b.nome),
    );

function Driver({
  driver,
  isOver,
  isSelected,
}: {
  driver: DriverAtWork;
  isOver: boolean;
  isSelected: boolean;
}) {
  const t = useWords();
  const { condutor_id: id, nome, entregas, paradas_a_visitar: stops, livre_em: freeAt } = driver;
  const [current] = entregas;
  const load =
    entregas.length === 0
      ? null
      : [
          t(
            counted(entregas.length, 'entrega', 'entregas'),
            counted(entregas.length, 'delivery', 'deliveries'),
          ),
          t(counted(stops ?? 0, 'parada', 'paradas'), counted(stops ?? 0, 'stop', 'stops')),
        ].join(', ');
  return (
    <li data-driver={id} className={isOver ? 'over' : undefined}>
      <Link
        to={current ? withQuery({ sel: current }) : pathToDriver(id, nome)}
        replace={current !== undefined}
        aria-current={isSelected ? 'true' : undefined}
        draggable={false}
      >
        <span className="driver-sign" aria-hidden="true">
          {initials(nome)}
        </span>
        <span className="line">
          <strong>{nome}</strong>
          <span className="second soft">
            <State driver={driver} />
          </span>
        </span>
        <span className="driver-load">
          {load ?? t('livre agora', 'free now')}
          {freeAt && (
            <span className="second soft">
              {t('livre ', 'free ')}
              <TimeAgo at={freeAt} only="clock" />
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

function State({ driver: { disponivel, proxima, posicao } }: { driver: DriverAtWork }) {
  const t = useWords();
  const now = useNow();
  const language = useLanguage();
  const seen = posicao && Date.parse(posicao.em);
  const doing =
    proxima?.status === 'E'
      ? t('entregando', 'delivering')
      : proxima
        ? t('a caminho da coleta', 'on the way to a pickup')
        : t('em serviço', 'on duty');
  return [
    doing,
    !disponivel && t('não recebe outras', 'takes no others'),
    seen === null && t('sem posição', 'no position'),
    seen !== null &&
      now - seen > OLD_MS &&
      t(`visto ${formatAge(seen, now, language)}`, `seen ${formatAge(seen, now, language)}`),
  ]
    .filter(Boolean)
    .join(' · ');
}
