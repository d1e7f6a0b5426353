import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNow } from '../../../shared/clock.ts';
import { formatMoment, formatPhone } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { type Answer, request } from '../api.ts';
import { useMay, useSession } from '../session.tsx';
import { ActiveBadge, SituationBadge, StatusBadge } from '../ui/badges.tsx';

export type SearchAnswer = Answer<'operacao', 'GET /busca'>;
type Matched = SearchAnswer['entregas']['itens'][number]['encontrado'];

/** A newer text cancels the request of an older one. Results may name people, so they are kept for a minute only. */
export const useSearch = (text: string, limit: number) =>
  useQuery({
    queryKey: ['search', text, limit],
    queryFn: async ({ signal }): Promise<SearchAnswer> => {
      const query = new URLSearchParams({ texto: text, limite: String(limit) });
      const answer = await request('GET', `/api/v2/operacao/busca?${query}`, undefined, {}, signal);
      return (answer as { data: SearchAnswer }).data;
    },
    enabled: text.trim() !== '',
    gcTime: 60_000,
    retry: false,
  });

/** A line of the results, and the page that it opens. */
export interface ResultLine {
  key: string;
  to: string;
  title: ReactNode;
  detail: ReactNode;
  badge: ReactNode;
}

export interface ResultGroup {
  key: string;
  title: string;
  lines: ResultLine[];
  hasMore: boolean;
}

/** The matched text with the match marked, or `other` if none of the fields matched. */
function Marked({ matched, fields, other }: { matched: Matched; fields: readonly string[]; other: string }) {
  const found = matched.find(({ campo }) => fields.includes(campo));
  if (!found) return <>{other}</>;
  let at = 0;
  return (
    <>
      {found.trechos.map(({ texto, destaque }) => {
        at += texto.length;
        return destaque ? <mark key={at}>{texto}</mark> : <span key={at}>{texto}</span>;
      })}
    </>
  );
}

/** Fields that are shown only if they matched. */
const FURTHER = [
  'telefone_destinatario',
  'numero_pedido',
  'id_externo',
  'cliente',
  'telefone_cliente',
  'coleta',
] as const;

export function useGroups(answer: SearchAnswer | undefined): ResultGroup[] {
  const t = useWords();
  const language = useLanguage();
  const now = useNow();
  const { central } = useSession();
  const mayReadCompanies = useMay('registers-read');
  const mayReadDrivers = useMay('earnings-read');
  if (!answer) return [];
  const moment = (iso: string) => formatMoment(Date.parse(iso), now, central.fuso_horario, language);
  const requestLine = (
    item: Omit<SearchAnswer['entregas']['itens'][number], 'status' | 'condutor'>,
    when: string,
  ) => ({
    title: (
      <>
        <span className="search-id">{item.id}</span>{' '}
        <Marked
          matched={item.encontrado}
          fields={['destinatario']}
          other={item.destinatario ?? item.nome_cliente}
        />
      </>
    ),
    detail: (
      <>
        <Marked matched={item.encontrado} fields={['endereco']} other={item.endereco ?? ''} />
        {FURTHER.filter((field) => item.encontrado.some(({ campo }) => campo === field)).map((field) => (
          <span key={field}>
            {' · '}
            <Marked matched={item.encontrado} fields={[field]} other="" />
          </span>
        ))}
        {` · ${item.nome_cliente} · ${moment(when)}`}
        {item.agrupada_em && ` · ${t('agrupada na', 'grouped into')} ${item.agrupada_em}`}
      </>
    ),
  });
  const groups: ResultGroup[] = [
    {
      key: 'entregas',
      title: t('Entregas', 'Deliveries'),
      hasMore: answer.entregas.ha_mais,
      lines: answer.entregas.itens.map((item) => ({
        key: `entrega-${item.id}`,
        to: `/entregas/${item.id}`,
        ...requestLine(item, item.pedida_em),
        badge: <StatusBadge status={item.status} />,
      })),
    },
    {
      key: 'programadas',
      title: t('Programadas', 'Scheduled'),
      hasMore: answer.programadas.ha_mais,
      lines: answer.programadas.itens.map((item) => ({
        key: `programada-${item.id}`,
        to: `/programadas/${item.id}`,
        ...requestLine(item, item.disparo_em),
        badge: <SituationBadge situation={item.situacao} />,
      })),
    },
    {
      key: 'empresas',
      title: t('Empresas', 'Companies'),
      hasMore: answer.empresas.ha_mais,
      lines: answer.empresas.itens.map((item) => ({
        key: `empresa-${item.id}`,
        to: `/empresas/${item.id}`,
        title: <Marked matched={item.encontrado} fields={['nome']} other={item.nome} />,
        detail: <Marked matched={item.encontrado} fields={REGISTERED} other="" />,
        badge: <ActiveBadge active={item.ativa} feminine />,
      })),
    },
    {
      key: 'condutores',
      title: t('Entregadores', 'Drivers'),
      hasMore: answer.condutores.ha_mais,
      lines: answer.condutores.itens.map((item) => ({
        key: `entregador-${item.id}`,
        to: `/condutores/${item.id}/conta`,
        title: <Marked matched={item.encontrado} fields={['nome']} other={item.nome} />,
        detail: (
          <>
            {item.veiculo}{' '}
            <Marked matched={item.encontrado} fields={['placa', 'telefone']} other={item.placa} />
          </>
        ),
        badge: <ActiveBadge active={item.ativo} />,
      })),
    },
    {
      key: 'clientes',
      title: t('Clientes sem empresa', 'People without a company'),
      hasMore: answer.clientes.ha_mais,
      lines: answer.clientes.itens.flatMap((item) =>
        item.ultima_entrega === null
          ? []
          : [
              {
                key: `cliente-${item.id}`,
                to: `/entregas/${item.ultima_entrega}`,
                title: <Marked matched={item.encontrado} fields={['nome']} other={item.nome} />,
                detail: (
                  <>
                    {item.telefone && `${formatPhone(item.telefone)} · `}
                    {t('última entrega', 'last delivery')} {item.ultima_entrega}
                  </>
                ),
                badge: null,
              },
            ],
      ),
    },
  ];
  // Results are links. Those whose page the user may not open are left out.
  const isOpen = (key: string): boolean =>
    key === 'empresas' ? mayReadCompanies : key === 'condutores' ? mayReadDrivers : true;
  return groups.filter(({ key, lines }) => lines.length > 0 && isOpen(key));
}

const REGISTERED = ['documento', 'telefone', 'identificador', 'numero_contrato'];

/** Explains what can be searched for. */
export function WhatToType() {
  const t = useWords();
  return (
    <p className="soft">
      {t(
        'Digite o número da entrega, o número do pedido, o nome ou o telefone do destinatário (bastam os 4 últimos algarismos), um endereço, uma empresa, um entregador ou uma placa.',
        'Type the number of a delivery, an order number, the recipient’s name or phone (its last 4 digits will do), an address, a company, a driver or a plate.',
      )}
    </p>
  );
}
