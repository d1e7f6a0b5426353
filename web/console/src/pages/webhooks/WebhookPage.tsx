import { useState } from 'react';
import { counted } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { useWebhooks, type Webhook, wordsOfEvent } from '../../data/webhooks.ts';
import { useAction } from '../../form.ts';
import { go, Link, usePlace } from '../../router.tsx';
import { IfMay } from '../../session.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { SecretOnce, TimeAgo } from '../../ui/texts.tsx';
import { ReplayForm } from './ReplayForm.tsx';
import { SendingLog } from './SendingLog.tsx';
import { TestForm } from './TestForm.tsx';
import { WebhookForm, WebhookState } from './WebhooksPage.tsx';

export function WebhookPage() {
  const t = useWords();
  const id = usePlace().path.split('/')[2] ?? '';
  const webhooks = useWebhooks();
  return (
    <>
      <p>
        <Link to="/webhooks">‹ Webhooks</Link>
      </p>
      <Loaded query={webhooks}>
        {(all) => {
          const webhook = all.find((each) => each.id === id);
          return webhook ? (
            <Shown webhook={webhook} />
          ) : (
            <Empty title={t('Webhook não encontrado', 'Webhook not found')} />
          );
        }}
      </Loaded>
    </>
  );
}

function Shown({ webhook }: { webhook: Webhook }) {
  const t = useWords();
  const { id } = webhook;
  const [open, setOpen] = useState<'edit' | 'replay' | 'test' | null>(null);
  const [secret, setSecret] = useState<{ text: string | null } | null>(null);
  const activate = useAction(
    (ativo: boolean) => call('integracao', 'PUT /webhooks/{id}', { id, body: { ativo } }),
    {
      done: (_, ativo) =>
        ativo ? t('Webhook ativo.', 'Webhook active.') : t('Webhook desativado.', 'Deactivated.'),
      refresh: ['webhooks', 'sendings'],
      toastsFailure: true,
    },
  );
  const rotate = useAction(() => call('integracao', 'POST /webhooks/{id}/segredo', { id }), {
    refresh: ['webhooks'],
    onDone: ({ segredo }) => setSecret({ text: segredo }),
  });
  return (
    <>
      <header className="page-head">
        <h1 style={{ overflowWrap: 'anywhere' }}>{webhook.url}</h1>
        <WebhookState state={webhook.estado} />
      </header>
      <div className="actions" style={{ marginBottom: 12 }}>
        <IfMay permission="webhooks">
          <button type="button" onClick={() => setOpen('test')}>
            {t('Enviar teste', 'Send a test')}
          </button>
        </IfMay>
        <IfMay permission="webhooks-resend">
          <button type="button" onClick={() => setOpen('replay')}>
            {t('Reenviar um período', 'Replay a period')}
          </button>
        </IfMay>
        <IfMay permission="webhooks">
          <button type="button" onClick={() => setOpen('edit')}>
            {t('Alterar', 'Change')}
          </button>
          {webhook.estado !== 'ativo' && (
            <button
              type="button"
              className="primary"
              disabled={activate.isPending}
              onClick={() => activate.mutate(true)}
            >
              {t('Reativar e enviar o que espera', 'Reactivate and send what waits')}
            </button>
          )}
          <ConfirmButton
            label={t('Trocar segredo', 'Rotate secret')}
            title={t('Trocar o segredo?', 'Rotate the secret?')}
            what={t(
              'Por 24 horas cada envio leva as duas assinaturas; depois só a nova vale.',
              'For 24 hours every sending carries both signatures; after that only the new one.',
            )}
            act={t('Trocar segredo', 'Rotate secret')}
            onConfirm={() => rotate.mutateAsync()}
          />
          {webhook.ativo && (
            <ConfirmButton
              label={t('Desativar', 'Deactivate')}
              title={t('Desativar este webhook?', 'Deactivate this webhook?')}
              what={t(
                'Enquanto inativo, nenhum evento novo é guardado para ele.',
                'While inactive, no new event is kept for it.',
              )}
              act={t('Desativar', 'Deactivate')}
              danger
              onConfirm={() => activate.mutateAsync(false)}
            />
          )}
          <ConfirmButton
            label={t('Excluir', 'Delete')}
            title={t('Excluir este webhook?', 'Delete this webhook?')}
            what={t('Nada mais lhe é enviado.', 'Nothing is sent to it any more.')}
            act={t('Excluir webhook', 'Delete webhook')}
            danger
            onConfirm={() => call('integracao', 'DELETE /webhooks/{id}', { id })}
            done={t('Webhook excluído.', 'Webhook deleted.')}
            refresh={['webhooks']}
            leave={() => go('/webhooks')}
          />
        </IfMay>
      </div>
      <Trouble webhook={webhook} />
      <p className="soft">
        {t('Recebe', 'Receives')}:{' '}
        {webhook.tipos.map((type) => t(wordsOfEvent(type).pt, wordsOfEvent(type).en)).join(', ')}
      </p>
      <h2>{t('Envios', 'Sendings')}</h2>
      <SendingLog webhookId={webhook.id} />
      {open === 'edit' && <WebhookForm webhook={webhook} onClose={() => setOpen(null)} />}
      {open === 'test' && <TestForm webhookId={webhook.id} onClose={() => setOpen(null)} />}
      {open === 'replay' && <ReplayForm webhookId={webhook.id} onClose={() => setOpen(null)} />}
      {secret && (
        <SecretOnce
          title={t('Novo segredo', 'New secret')}
          secret={secret.text}
          remedy={t(
            'Troque o segredo outra vez e dê o novo logo a quem recebe: o que ele usa hoje deixa de valer nessa hora.',
            'Rotate the secret again and give the new one to the receiver at once: the one it uses today then ends.',
          )}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

function Trouble({ webhook }: { webhook: Webhook }) {
  const t = useWords();
  if (webhook.estado === 'pausado')
    return (
      <p className="banner">
        {t('Pausado depois de um dia de falhas, desde ', 'Paused after a day of failures, since ')}
        <TimeAgo at={webhook.pausado_em} />.{' '}
        {t('Os eventos esperam até que seja reativado.', 'Events wait until it is reactivated.')}
      </p>
    );
  if (webhook.estado === 'falhando')
    return (
      <p className="banner">
        {t(
          `${counted(webhook.falhas, 'falha', 'falhas seguidas')}, desde `,
          `${counted(webhook.falhas, 'failure', 'failures in a row')}, since `,
        )}
        <TimeAgo at={webhook.falhando_desde} />. {t('Próxima tentativa', 'Next attempt')}{' '}
        <TimeAgo at={webhook.proxima_tentativa} />
      </p>
    );
  if (webhook.proxima_tentativa)
    return (
      <p className="soft">
        {t('Um envio recusado espera. Próxima tentativa', 'A refused message waits. Next attempt')}{' '}
        <TimeAgo at={webhook.proxima_tentativa} />
      </p>
    );
  return null;
}
