import type { Sending, Webhook } from '../../data/webhooks.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useWords } from '../../words.ts';

const webhookStates: Record<Webhook['estado'], { pt: string; en: string; letter: string; tone: string }> = {
  ativo: { pt: 'Ativo', en: 'Active', letter: 'A', tone: 'e' },
  falhando: { pt: 'Falhando', en: 'Failing', letter: 'F', tone: 'g' },
  pausado: { pt: 'Pausado', en: 'Paused', letter: 'P', tone: 'n' },
  inativo: { pt: 'Inativo', en: 'Inactive', letter: 'I', tone: 'f' },
};

const sendingStates: Record<Sending['estado'], { pt: string; en: string; letter: string; tone: string }> = {
  esperando: { pt: 'Esperando', en: 'Waiting', letter: 'E', tone: 'p' },
  entregue: { pt: 'Entregue', en: 'Delivered', letter: 'D', tone: 'e' },
  falhou: { pt: 'Falhou', en: 'Failed', letter: 'F', tone: 'n' },
  descartado: { pt: 'Descartado', en: 'Dropped', letter: 'X', tone: 'f' },
};

export function WebhookState({ state }: { state: Webhook['estado'] }) {
  const t = useWords();
  const { pt, en, letter, tone } = webhookStates[state];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} />;
}

export function SendingState({ state }: { state: Sending['estado'] }) {
  const t = useWords();
  const { pt, en, letter, tone } = sendingStates[state];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} />;
}
