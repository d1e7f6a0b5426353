import { useRef, useState } from 'react';
import { call } from '../api.ts';
import { type DriverAtWork, usePositions } from '../data/deliveries.ts';
import { type Driver, useDrivers } from '../data/registers.ts';
import { useAction } from '../form.ts';
import { formatPhone } from '../formats.ts';
import { useKeys, useRowKeys } from '../keys.ts';
import { go, Link, usePlace, withQuery } from '../router.tsx';
import { IfMay, useMay } from '../session.tsx';
import { Empty, Loaded } from '../ui/Loaded.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { TimeAgo } from '../ui/texts.tsx';
import { useWords } from '../words.ts';
import { DriverForm } from './drivers/DriverForm.tsx';
import { DriverPhones } from './drivers/DriverPhones.tsx';
import './registers.css';

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Who carries deliveries: available or not, where, and with what in hand. */
export function DriversPage() {
  const t = useWords();
  const { query } = usePlace();
  const drivers = useDrivers();
  const positions = usePositions().data ?? [];
  const [editing, setEditing] = useState<Driver | 'new' | null>(null);
  const [phonesOf, setPhonesOf] = useState<Driver | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const atWork = new Map(positions.map((position) => [position.condutor_id, position]));
  const text = query.get('q') ?? '';
  const only = query.get('situacao') ?? '';
  const shown = (drivers.data ?? []).filter(
    (driver) =>
      plain(`${driver.nome} ${driver.placa} ${driver.telefone} ${driver.veiculo}`).includes(
        plain(text.trim()),
      ) && matches(driver, atWork.get(String(driver.id)), only),
  );
  const selected = query.get('sel');
  const select = (id: string) => go(withQuery({ sel: id }), { replace: true });
  const mayChange = useMay('drivers');
  const open = (id: string) =>
    mayChange && setEditing(shown.find((driver) => String(driver.id) === id) ?? null);
  useRowKeys({ rows: shown.map(({ id }) => String(id)), selected, onSelect: select, onOpen: open });
  useKeys({ f: () => search.current?.focus() });
  return (
    <>
      <div className="page-head">
        <h1>{t('Entregadores', 'Drivers')}</h1>
        <div className="actions">
          <IfMay permission="drivers">
            <button type="button" className="primary" onClick={() => setEditing('new')}>
              {t('Cadastrar entregador', 'Register a driver')}
            </button>
          </IfMay>
        </div>
      </div>
      <div className="filters">
        <div className="field">
          <label htmlFor="drivers-text">{t('Filtrar', 'Filter')}</label>
          <input
            id="drivers-text"
            ref={search}
            type="search"
            placeholder="f"
            value={text}
            onChange={({ currentTarget }) => go(withQuery({ q: currentTarget.value }), { replace: true })}
          />
        </div>
        <div className="field">
          <label htmlFor="drivers-state">{t('Situação', 'State')}</label>
          <select
            id="drivers-state"
            value={only}
            onChange={({ currentTarget }) => go(withQuery({ situacao: currentTarget.value }))}
          >
            <option value="">{t('Todas', 'All')}</option>
            <option value="disponiveis">{t('Disponíveis', 'Available')}</option>
            <option value="ocupados">{t('Com entrega', 'Carrying')}</option>
            <option value="inativos">{t('Inativos', 'Inactive')}</option>
          </select>
        </div>
      </div>
      <Loaded query={drivers}>
        {(all) =>
          shown.length > 0 ? (
            <DriverTable
              drivers={shown}
              atWork={atWork}
              selected={selected}
              onSelect={select}
              onEdit={setEditing}
              onPhones={setPhonesOf}
            />
          ) : (
            <NoDrivers isFiltered={all.length > 0} />
          )
        }
      </Loaded>
      {phonesOf && <DriverPhones driver={phonesOf} onClose={() => setPhonesOf(null)} />}
      {editing && <DriverForm driver={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function matches(driver: Driver, work: DriverAtWork | undefined, only: string): boolean {
  switch (only) {
    case 'disponiveis':
      return driver.disponivel;
    case 'ocupados':
      return (work?.entregas.length ?? 0) > 0;
    case 'inativos':
      return !driver.ativo;
    default:
      return true;
  }
}

function NoDrivers({ isFiltered }: { isFiltered: boolean }) {
  const t = useWords();
  if (isFiltered)
    return (
      <Empty title={t('Nenhum entregador com este filtro', 'No drivers with this filter')}>
        <Link to="/condutores">{t('Mostrar todos', 'Show all')}</Link>
      </Empty>
    );
  return (
    <Empty title={t('Nenhum entregador ainda', 'No drivers yet')}>
      {t(
        'Cadastre o primeiro acima; para entrar, ele precisa também de um usuário.',
        'Register the first one above; to log in, a driver also needs a user.',
      )}
    </Empty>
  );
}

function DriverTable({
  drivers,
  atWork,
  selected,
  onSelect,
  onEdit,
  onPhones,
}: {
  drivers: readonly Driver[];
  atWork: ReadonlyMap<string, DriverAtWork>;
  selected: string | null;
  onSelect: (id: string) => void;
  onEdit: (driver: Driver) => void;
  onPhones: (driver: Driver) => void;
}) {
  const t = useWords();
  const mayChange = useMay('drivers');
  const columns: Column<Driver>[] = [
    {
      key: 'name',
      header: t('Nome', 'Name'),
      cell: (driver) => (
        <>
          {mayChange ? (
            <button type="button" className="plain" onClick={() => onEdit(driver)}>
              {driver.nome}
            </button>
          ) : (
            driver.nome
          )}
          {driver.simulado && <span className="mark inline">{t('simulado', 'simulated')}</span>}
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
      cell: ({ id }) => <Carries work={atWork.get(String(id))} />,
    },
    {
      key: 'free',
      header: t('Livre', 'Free'),
      cell: ({ id }) => <TimeAgo at={atWork.get(String(id))?.livre_em} />,
    },
    {
      key: 'seen',
      header: t('Posição', 'Position'),
      cell: ({ id }) => <TimeAgo at={atWork.get(String(id))?.posicao?.em} only="age" />,
    },
    {
      key: 'phone',
      header: t('Celular', 'Phone'),
      cell: (driver) =>
        mayChange ? (
          <button type="button" className="plain" onClick={() => onPhones(driver)}>
            <PhoneState work={atWork.get(String(driver.id))} />
            <span className="unseen">, {t(`celulares de ${driver.nome}`, `phones of ${driver.nome}`)}</span>
          </button>
        ) : (
          atWork.get(String(driver.id))?.aparelho && <PhoneState work={atWork.get(String(driver.id))} />
        ),
    },
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
      key: 'vehicle',
      header: t('Veículo', 'Vehicle'),
      wideOnly: true,
      cell: ({ veiculo, cor, placa }) => [veiculo, cor, placa].filter(Boolean).join(' · ') || '—',
    },
  ];
  return (
    <Table
      label={t('Entregadores', 'Drivers')}
      columns={columns}
      rows={drivers}
      rowKey={({ id }) => String(id)}
      selected={selected}
      onSelect={onSelect}
    />
  );
}

function Carries({ work }: { work: DriverAtWork | undefined }) {
  const t = useWords();
  const [current, ...next] = work?.entregas ?? [];
  if (!current) return <span className="soft">—</span>;
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

/** What the phone said of itself, or that there is none. */
function PhoneState({ work }: { work: DriverAtWork | undefined }) {
  const t = useWords();
  const phone = work?.aparelho;
  if (!phone) return <>{t('Convidar', 'Invite')}</>;
  const battery = phone.bateria === null ? t('conectado', 'signed in') : `${phone.bateria}%`;
  return (
    <>
      {battery}
      {phone.versao && <span className="soft"> · {phone.versao}</span>}
    </>
  );
}

function Availability({ driver }: { driver: Driver }) {
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
      tellsFailure: true,
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
