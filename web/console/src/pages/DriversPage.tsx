import { useState } from 'react';
import { formatPhone } from '../../../shared/formats.ts';
import { useWords } from '../../../shared/words.ts';
import { type Answer, call } from '../api.ts';
import { type DriverAtWork, usePositions } from '../data/deliveries.ts';
import { useDrivers } from '../data/registers.ts';
import { useAction } from '../form.ts';
import { ListView } from '../lists/ListView.tsx';
import type { ListDefinition, ListFilter, Words } from '../lists/list.ts';
import { Link } from '../router.tsx';
import { IfMay, useMay } from '../session.tsx';
import { Empty } from '../ui/Loaded.tsx';
import { Money, Nothing, TimeAgo } from '../ui/texts.tsx';
import { DriverForm } from './drivers/DriverForm.tsx';
import { DriverPhones } from './drivers/DriverPhones.tsx';
import { DriverShifts } from './drivers/DriverShifts.tsx';
import './registers.css';

type ListedDriver = Answer<'operacao', 'POST /condutores/consultar'>['data'][number];

/** The list of drivers, with their availability, position and current delivery. */
export function DriversPage() {
  const t = useWords();
  const [isAdding, setAdding] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const [phonesOf, setPhonesOf] = useState<ListedDriver | null>(null);
  const [shiftsOf, setShiftsOf] = useState<ListedDriver | null>(null);
  const list = useDriverList({ onEdit: setEditing, onPhones: setPhonesOf, onShifts: setShiftsOf });
  // The form needs fields of a driver that the list does not have.
  const edited = useDrivers(editing !== null).data?.find(({ id }) => id === editing);
  return (
    <>
      <div className="page-head">
        <h1>{t('Entregadores', 'Drivers')}</h1>
        <div className="actions">
          <IfMay permission="drivers">
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              {t('Cadastrar entregador', 'Register a driver')}
            </button>
          </IfMay>
        </div>
      </div>
      <ListView list={list} />
      {phonesOf && <DriverPhones driver={phonesOf} onClose={() => setPhonesOf(null)} />}
      {shiftsOf && <DriverShifts driver={shiftsOf} onClose={() => setShiftsOf(null)} />}
      {isAdding && <DriverForm driver={null} onClose={() => setAdding(false)} />}
      {edited && <DriverForm driver={edited} onClose={() => setEditing(null)} />}
    </>
  );
}

const STATES: Record<string, Words & { body: Record<string, boolean> }> = {
  disponiveis: { pt: 'Disponíveis', en: 'Available', body: { disponivel: true } },
  ocupados: { pt: 'Com entrega', en: 'Carrying', body: { com_entrega: true } },
  livres: { pt: 'Livres', en: 'Free', body: { disponivel: true, com_entrega: false } },
  inativos: { pt: 'Inativos', en: 'Inactive', body: { ativo: false } },
};

const filters: readonly ListFilter[] = [
  { name: 'texto', kind: 'text', pt: 'Procurar', en: 'Search' },
  {
    name: 'situacao',
    kind: 'choice',
    pt: 'Situação',
    en: 'State',
    options: Object.entries(STATES).map(([value, { pt, en }]) => ({ value, pt, en })),
    toBody: (value) => STATES[value]?.body ?? {},
  },
];

function useDriverList({
  onEdit,
  onPhones,
  onShifts,
}: {
  onEdit: (id: string) => void;
  onPhones: (driver: ListedDriver) => void;
  onShifts: (driver: ListedDriver) => void;
}): ListDefinition<ListedDriver> {
  const t = useWords();
  const mayChange = useMay('drivers');
  const positions = usePositions().data ?? [];
  const atWork = new Map(positions.map((position) => [position.condutor_id, position]));
  return {
    name: 'entregadores',
    label: t('Entregadores', 'Drivers'),
    topic: 'drivers',
    filters,
    orders: [
      { value: 'nome', pt: 'Nome', en: 'Name' },
      { value: 'nome_inverso', pt: 'Nome, do fim', en: 'Name, from the end' },
    ],
    rowKey: ({ id }) => id,
    onOpen: (id) => mayChange && onEdit(id),
    read: (body) => call('operacao', 'POST /condutores/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /condutores/exportar', { body }),
    empty: (
      <Empty title={t('Nenhum entregador ainda', 'No drivers yet')}>
        {t(
          'Cadastre o primeiro acima; para entrar, ele precisa também de um usuário.',
          'Register the first one above; to log in, a driver also needs a user.',
        )}
      </Empty>
    ),
    cards: true,
    columns: [
      {
        key: 'name',
        header: t('Nome', 'Name'),
        ascending: 'nome',
        descending: 'nome_inverso',
        cell: (driver) => (
          <>
            {mayChange ? (
              <button type="button" className="plain" onClick={() => onEdit(driver.id)}>
                {driver.nome}
              </button>
            ) : (
              driver.nome
            )}
            {driver.simulado && (
              <>
                {' '}
                <span className="mark inline">{t('simulado', 'simulated')}</span>
              </>
            )}
            <span className="second soft">{formatPhone(driver.telefone)}</span>
          </>
        ),
      },
      {
        key: 'available',
        header: t('Disponibilidade', 'Availability'),
        cell: (driver) => <Availability driver={driver} />,
      },
      {
        key: 'carries',
        header: t('Entrega atual', 'Current delivery'),
        cell: ({ id }) => <Carries work={atWork.get(id)} />,
      },
      {
        key: 'free',
        header: t('Livre', 'Free'),
        cell: ({ id }) => <TimeAgo at={atWork.get(id)?.livre_em} />,
      },
      {
        key: 'seen',
        header: t('Posição', 'Position'),
        cell: ({ id }) => <TimeAgo at={atWork.get(id)?.posicao?.em} only="age" />,
      },
      {
        key: 'phone',
        header: t('Celular', 'Phone'),
        cell: (driver) =>
          mayChange ? (
            <button type="button" className="plain" onClick={() => onPhones(driver)}>
              <PhoneState work={atWork.get(driver.id)} />
              <span className="unseen">, {t(`celulares de ${driver.nome}`, `phones of ${driver.nome}`)}</span>
            </button>
          ) : (
            atWork.get(driver.id)?.aparelho && <PhoneState work={atWork.get(driver.id)} />
          ),
      },
      ...(mayChange
        ? [
            {
              key: 'shifts',
              header: t('Turnos', 'Shifts'),
              cell: (driver: ListedDriver) => (
                <button
                  type="button"
                  className="plain"
                  onClick={() => onShifts(driver)}
                  aria-label={t(`Turnos de ${driver.nome}`, `Shifts of ${driver.nome}`)}
                >
                  {t('Turnos', 'Shifts')}
                </button>
              ),
            },
          ]
        : []),
      {
        key: 'account',
        header: t('Conta', 'Account'),
        cell: ({ id, nome }) => (
          <Link
            to={`/condutores/${id}/conta`}
            aria-label={t(`Ganhos e extrato de ${nome}`, `Earnings and statement of ${nome}`)}
          >
            {t('Ganhos e extrato', 'Earnings')}
          </Link>
        ),
      },
      {
        key: 'cash',
        header: t('Dinheiro a entregar', 'Cash to hand in'),
        figures: true,
        wideOnly: true,
        cell: ({ dinheiro_a_entregar }) => <Money value={dinheiro_a_entregar} />,
      },
      {
        key: 'vehicle',
        header: t('Veículo', 'Vehicle'),
        wideOnly: true,
        cell: ({ veiculo, cor, placa }) => [veiculo, cor, placa].filter(Boolean).join(' · ') || <Nothing />,
      },
    ],
  };
}

function Carries({ work }: { work: DriverAtWork | undefined }) {
  const t = useWords();
  const [current, ...next] = work?.entregas ?? [];
  if (!current) return <Nothing />;
  return (
    <>
      <Link to={`/entregas/${current}`}>{current}</Link>
      {next.length > 0 && <span className="soft"> +{next.length}</span>}
      {work?.proxima && (
        <span className="second soft">
          {work.proxima.status === 'E' ? '' : t('coleta: ', 'pickup: ')}
          {work.proxima.endereco}
          {work.proxima.previsao && (
            <>
              {', '}
              <TimeAgo at={work.proxima.previsao} only="clock" />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** The state of the driver's phone, or an invitation if there is none. */
function PhoneState({ work }: { work: DriverAtWork | undefined }) {
  const t = useWords();
  const phone = work?.aparelho;
  if (!phone) return t('Convidar', 'Invite');
  return phone.bateria === null
    ? t('conectado', 'signed in')
    : t(`bateria ${phone.bateria}%`, `battery ${phone.bateria}%`);
}

function Availability({ driver }: { driver: ListedDriver }) {
  const t = useWords();
  const set = useAction(
    (available: boolean) =>
      call('operacao', 'POST /condutores/{id}/disponibilidade', {
        id: driver.id,
        body: { disponivel: available },
      }),
    {
      done: (_result, available) =>
        available
          ? t(`${driver.nome} recebe ofertas.`, `${driver.nome} takes offers.`)
          : t(`${driver.nome} não recebe novas ofertas.`, `${driver.nome} takes no new offers.`),
      refresh: ['drivers', 'positions'],
      toastsFailure: true,
    },
  );
  const mayDrive = useMay('drive');
  if (!driver.ativo) return <span className="soft">{t('inativo', 'inactive')}</span>;
  if (!mayDrive) return driver.disponivel ? t('disponível', 'available') : t('indisponível', 'unavailable');
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={driver.disponivel}
      aria-label={t(`${driver.nome} disponível`, `${driver.nome} available`)}
      disabled={set.isPending}
      onClick={() => set.mutate(!driver.disponivel)}
    >
      <span aria-hidden="true" />
      {driver.disponivel ? t('disponível', 'available') : t('indisponível', 'unavailable')}
    </button>
  );
}
