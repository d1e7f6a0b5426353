import type { Entry } from '../../web/driver/src/core/outbox.ts';
import type { FailureDecision, Offer, Place, Run, Stop, Work } from '../../web/driver/src/core/work.ts';

const place = (lat: number, lng: number): Place => ({
  endereco: 'Rua da Praia, 100',
  complemento: null,
  referencia: null,
  bairro: 'Centro',
  cidade: 'Porto Alegre',
  uf: 'RS',
  lat,
  lng,
});

/** The same decision for every reason: two attempts, then the goods are left. */
export const sampleRules = (
  decision: FailureDecision,
  changes: Partial<Run['falha']> = {},
): Run['falha'] => ({
  ausente: decision,
  endereco_errado: decision,
  recusado: decision,
  outro: decision,
  tentativas_max: 2,
  apos_tentativas: 'deixar_no_fim',
  ...changes,
});

export const sampleStop = (id: string, changes: Partial<Stop> = {}): Stop => ({
  ...place(-30.03 - Number(id) / 100, -51.22),
  id,
  ordem: Number(id),
  situacao: 'pendente',
  tentativas: 0,
  numero_pedido: null,
  destinatario: 'Ana',
  telefone: '51999990000',
  observacao: null,
  valor_a_receber: null,
  forma_pagamento: 'D',
  exige_codigo: false,
  codigo_bloqueado: false,
  chegou_em: null,
  concluida_em: null,
  previsao: null,
  agrupada: false,
  ...changes,
});

export const sampleRun = (id: string, changes: Partial<Run> = {}): Run => ({
  id_mch: id,
  status: 'A',
  empresa: 'Farmácia',
  comprovante: { foto: 'nao', assinatura: 'nao', nome: 'nao', codigo: false, valor: false },
  observacao: null,
  com_retorno: false,
  coleta: place(-30, -51.2),
  chegou_em: null,
  iniciada_em: null,
  falha: sampleRules('deixar_no_fim'),
  ganho: '12.50',
  valor_a_receber: null,
  metros: 4000,
  segundos: 900,
  versao: 1,
  paradas: [sampleStop('1'), sampleStop('2')],
  ...changes,
});

export const sampleOffer = (id: string): Offer => ({
  id_mch: id,
  expira_em: null,
  oferecida_em: '2026-11-16T15:00:00Z',
  coleta: place(-30, -51.2),
  paradas: 2,
  metros_ate_coleta: 900,
  metros: 4000,
  segundos: 900,
  ganho: '12.50',
  com_retorno: false,
});

export const sampleWork = (changes: Partial<Work> = {}): Work => ({
  agora: '2026-11-16T15:00:00Z',
  versao: '1',
  condutor: { id: '1', nome: 'João', veiculo: 'Moto', placa: 'IXA1B23', disponivel: true, categorias: [] },
  central: { nome: 'Central', telefone_ajuda: null },
  regras: {
    comprovante: { foto: 'opcional', assinatura: 'nao', nome: 'opcional', codigo: false, valor: true },
    falha: sampleRules('deixar_no_fim'),
  },
  ofertas: [],
  corridas: [sampleRun('10')],
  ganhos: {
    hoje: { entregas: 0, valor: '0.00', dinheiro_recebido: '0.00' },
    semana: { entregas: 0, valor: '0.00', dinheiro_recebido: '0.00' },
    saldo: '0.00',
    dinheiro_a_entregar: '0.00',
  },
  ...changes,
});

let seq = 0;
export const sampleEntry = (action: Entry['action'], changes: Partial<Entry> = {}): Entry => {
  seq += 1;
  return {
    seq,
    key: `key ${seq}`,
    driverId: '1',
    happenedAt: '2026-11-16T15:10:00Z',
    action,
    state: 'waiting',
    refusal: null,
    ...changes,
  };
};
