import { useQuery } from '@tanstack/react-query';
import type { Position } from '../../../shared/map/mapPoint.ts';
import { type Answer, type Body, call, type Entry, request } from '../api.ts';
import { useMay } from '../session.tsx';

type Search = Answer<'operacao', 'POST /enderecos/buscar'>;
export type FoundAddress = Search['enderecos'][number];
export type KnownAddresses = Answer<'operacao', 'POST /enderecos/conhecidos'>;
export type KnownAddress = KnownAddresses['recentes'][number];
export type CompanyAddress = Entry<'operacao', 'GET /empresas/{id}/enderecos'>;

const SUGGESTED_MAX = 6;

/** Suggestions for what was typed. A newer text cancels the request of an older one. */
export const useAddressSearch = (text: string, near: Position | undefined, isWanted: boolean) =>
  useQuery({
    queryKey: ['address-search', text, near],
    queryFn: async ({ signal }): Promise<Search> => {
      const body = { texto: text, limite: SUGGESTED_MAX, ...(near && { perto_de: near }) };
      const answer = await request('POST', '/api/v2/operacao/enderecos/buscar', body, {}, signal);
      return (answer as { data: Search }).data;
    },
    enabled: isWanted,
    // The suggestions for the previous text stay until the next ones arrive.
    placeholderData: (before) => before,
    staleTime: 60_000,
    retry: false,
  });

/** The position that an order would find for the address. Null if it is unknown or the request fails. */
export const locateAddress = (
  address: { endereco: string; bairro: string; cidade: string; estado: string },
  near: Position | undefined,
): Promise<FoundAddress | null> =>
  call('operacao', 'POST /enderecos/localizar', {
    body: { ...address, ...(near && { perto_de: near }) },
  }).catch(() => null);

export const reverseAddress = (position: Position): Promise<FoundAddress | null> =>
  call('operacao', 'POST /enderecos/reverso', { body: position }).catch(() => null);

/** The addresses that the company uses: pickups, favourites, recent destinations. */
export const useKnownAddresses = (companyId: string | null) =>
  useQuery({
    queryKey: ['known-addresses', companyId],
    queryFn: () => call('operacao', 'POST /enderecos/conhecidos', { body: { empresa_id: companyId } }),
    enabled: useMay('address-book') && companyId !== null,
    staleTime: 30_000,
    retry: false,
  });

/** The recipients that the company has had with this phone. Not read until the phone is complete. */
export function useRecipients(companyId: string | null, phone: string) {
  const digits = phone.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '');
  const isAllowed = useMay('address-book');
  return useQuery({
    queryKey: ['recipients', companyId, digits],
    queryFn: () =>
      call('operacao', 'POST /destinatarios/buscar', { body: { empresa_id: companyId, telefone: digits } }),
    enabled: isAllowed && companyId !== null && /^[1-9][1-9](9\d{8}|[2-8]\d{7})$/.test(digits),
    staleTime: 30_000,
    retry: false,
  });
}

export const useCompanyAddresses = (companyId: string) =>
  useQuery({
    enabled: useMay('address-book'),
    queryKey: ['company-addresses', companyId],
    queryFn: () => call('operacao', 'GET /empresas/{id}/enderecos', { id: companyId }),
  });

type Correction = Body<'operacao', 'POST /enderecos/correcoes'>;

export type Proposal = Entry<'operacao', 'GET /enderecos/propostas'>;

/** Positions that drivers propose. Read again with the deliveries, since a proposal is announced as a change of one. */
export const useProposals = () =>
  useQuery({
    queryKey: ['deliveries', 'proposals'],
    queryFn: () => call('operacao', 'GET /enderecos/propostas', {}),
  });

export type ListedCorrection = Entry<'operacao', 'GET /enderecos/correcoes'>;

export const useCorrections = (texto: string, pagina: number, limite: number) =>
  useQuery({
    queryKey: ['corrections', texto, pagina],
    queryFn: () =>
      call('operacao', 'GET /enderecos/correcoes', { query: { pagina, limite, ...(texto && { texto }) } }),
  });

/** Sends corrections for later orders. The present order has its positions, so failures are ignored. */
export function sendCorrections(corrections: readonly Correction[]): void {
  for (const body of corrections)
    call('operacao', 'POST /enderecos/correcoes', { body }).catch(() => undefined);
}
