import { useQuery } from '@tanstack/react-query';
import type { Apis } from '../../../../shared/api.gen.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { usePrograms, useUsers } from '../../data/registers.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { DateField, isWholeDay } from '../../ui/BrazilianFields.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { RequestEntry } from './RequestEntry.tsx';
import './requests.css';

type RequestQuery = NonNullable<Apis['operacao']['GET /requisicoes']['given']['query']>;

const FILTERS = [
  ...(['status', 'tipo', 'caminho', 'request_id', 'usuario_id', 'de', 'ate'] as const),
  'cursor',
] as const;
const PAGE_LIMIT = 50;

/** The requests that were refused, and a sample of the others, each with its masked content. */
export function RequestsPage() {
  const t = useWords();
  const { query } = usePlace();
  const filter = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  ) as RequestQuery;
  const requests = useQuery({
    queryKey: ['requests', filter],
    queryFn: () => call('operacao', 'GET /requisicoes', { query: { ...filter, limite: PAGE_LIMIT } }),
  });
  return (
    <>
      <header className="page-head">
        <h1>{t('Requisições', 'Requests')}</h1>
        <button type="button" disabled={requests.isFetching} onClick={() => void requests.refetch()}>
          {t('Atualizar', 'Refresh')}
        </button>
      </header>
      <p className="soft">
        {t(
          'O que programas e usuários pediram ao serviço: tudo o que foi recusado e uma amostra do resto, sem dados pessoais.',
          'What programs and users asked of the service: all that was refused and a sample of the rest, without personal data.',
        )}
      </p>
      <Filters filter={filter} />
      <Loaded query={requests}>
        {({ requisicoes, proximo, nao_registradas: dropped }) => (
          <>
            {requisicoes.length === 0 ? (
              <Empty title={t('Nenhuma requisição encontrada', 'No request found')}>
                {proximo === null
                  ? t(
                      'Uma requisição recusada aparece aqui em alguns segundos, com o motivo e o que fazer.',
                      'A refused request appears here within seconds, with the reason and what to do.',
                    )
                  : t(
                      'Nada entre as requisições examinadas até aqui. Continue nas mais antigas.',
                      'Nothing among the requests examined so far. Continue with older ones.',
                    )}
              </Empty>
            ) : (
              <ol className="requests" aria-label={t('Requisições', 'Requests')}>
                {requisicoes.map((each) => (
                  <RequestEntry key={each.id} request={each} />
                ))}
              </ol>
            )}
            {(filter.cursor !== undefined || proximo !== null) && (
              <nav className="pager" aria-label={t('Páginas', 'Pages')}>
                {filter.cursor !== undefined && (
                  <Link to={withQuery({ cursor: null })}>‹ {t('Mais novas', 'Newest')}</Link>
                )}
                {proximo !== null && (
                  <Link to={withQuery({ cursor: proximo })}>{t('Mais antigas', 'Older')} ›</Link>
                )}
              </nav>
            )}
            {dropped !== null && dropped > 0 && <Dropped count={dropped} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Dropped({ count }: { count: number }) {
  const t = useWords();
  return (
    <p className="soft">
      {count === 1
        ? t(
            '1 requisição não foi registrada: houve muitas ao mesmo tempo.',
            '1 request was not recorded: there were too many at once.',
          )
        : t(
            `${count} requisições não foram registradas: houve muitas ao mesmo tempo.`,
            `${count} requests were not recorded: there were too many at once.`,
          )}
    </p>
  );
}

function Filters({ filter }: { filter: RequestQuery }) {
  const t = useWords();
  const programs = usePrograms('real');
  const users = useUsers();
  const set = (name: (typeof FILTERS)[number]) => (event: { currentTarget: { value: string } }) =>
    go(withQuery({ [name]: event.currentTarget.value || null, cursor: null }), { replace: true });
  const shown = String(filter.usuario_id ?? '');
  const senders = [
    ...(programs.data ?? []).map(({ id, descricao }) => ({ id, name: descricao })),
    ...(users.data ?? []).map(({ id, usuario }) => ({ id, name: usuario })),
  ];
  return (
    <div className="filters">
      <SelectField label={t('Resposta', 'Answer')} value={filter.status ?? ''} onChange={set('status')}>
        <option value="">{t('Todas', 'All')}</option>
        <option value="2xx">{t('Aceitas', 'Accepted')}</option>
        <option value="recusadas">{t('Recusadas', 'Refused')}</option>
        <option value="5xx">{t('Com falha do serviço', 'Failed in the service')}</option>
      </SelectField>
      <SelectField label={t('De quem', 'Sent by')} value={shown} onChange={set('usuario_id')}>
        <option value="">{t('Todos', 'Everybody')}</option>
        {shown !== '' && !senders.some(({ id }) => id === shown) && <option value={shown}>#{shown}</option>}
        {senders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('Caminho', 'Path')}
        type="search"
        value={filter.caminho ?? ''}
        onChange={set('caminho')}
      />
      <Field
        label={t('Tipo de erro', 'Kind of error')}
        type="search"
        value={filter.tipo ?? ''}
        onChange={set('tipo')}
      />
      <Field
        label={t('Identificador', 'Request id')}
        type="search"
        maxLength={64}
        value={filter.request_id ?? ''}
        onChange={set('request_id')}
      />
      {(['de', 'ate'] as const).map((name) => (
        <DateField
          key={name}
          label={name === 'de' ? t('De', 'From') : t('Até', 'Until')}
          value={filter[name] ?? ''}
          onValue={(day) => isWholeDay(day) && set(name)({ currentTarget: { value: day } })}
        />
      ))}
    </div>
  );
}
