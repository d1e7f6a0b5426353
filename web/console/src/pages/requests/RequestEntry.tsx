import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Apis } from '../../../../shared/api.gen.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { Badge } from '../../ui/badges.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Copy, Fact, TimeAgo } from '../../ui/texts.tsx';

type RequestShown = Apis['operacao']['GET /requisicoes']['answer']['requisicoes'][number];

/** One request. It unfolds to its content, which is read when it is first opened. */
export function RequestEntry({ request }: { request: RequestShown }) {
  const [isOpened, setOpened] = useState(false);
  const { metodo, caminho, status, tipo, data_hora } = request;
  return (
    <li>
      <details onToggle={(event) => event.currentTarget.open && setOpened(true)}>
        <summary>
          <StatusOf status={status} />
          <code className="request-path">
            <b>{metodo}</b> {caminho}
          </code>
          {tipo && <span className="request-kind soft">{tipo}</span>}
          <span className="request-by">
            <SenderName of={request} />
          </span>
          <TimeAgo at={data_hora} />
        </summary>
        {isOpened && <RequestContent request={request} />}
      </details>
    </li>
  );
}

const TONES: Readonly<Record<number, string>> = { 2: 'e', 3: 'a', 4: 'p', 5: 'n' };

function StatusOf({ status }: { status: number }) {
  const t = useWords();
  const group = Math.floor(status / 100);
  const words =
    group === 4
      ? t('recusada', 'refused')
      : group === 5
        ? t('falhou no serviço', 'failed in the service')
        : t('aceita', 'accepted');
  return (
    <span className="request-status" title={words}>
      <Badge letter={String(group)} label={String(status)} tone={TONES[group] ?? 'f'} />
      <span className="unseen">{words}</span>
    </span>
  );
}

function SenderName({ of: { usuario, usuario_id: id, chave } }: { of: RequestShown }) {
  const t = useWords();
  if (usuario !== null) return usuario;
  if (id !== null) return <span className="soft">{t('usuário excluído', 'deleted user')}</span>;
  return (
    <span className="soft">
      {chave === null
        ? t('chave, usuário recusado', 'key, login refused')
        : t(`chave ${chave}, usuário recusado`, `key ${chave}, login refused`)}
    </span>
  );
}

const proofWords: Record<RequestShown['credencial'], { pt: string; en: string }> = {
  chave: { pt: 'api-key com usuário', en: 'api-key with a login' },
  programa: { pt: 'token de programa', en: 'token of a program' },
  sessao: { pt: 'página do console ou app', en: 'page of the console or app' },
};

function RequestContent({ request }: { request: RequestShown }) {
  const t = useWords();
  const language = useLanguage();
  const { id, tipo, chave, credencial, duracao_ms: duration, request_id: requestId } = request;
  const content = useQuery({
    queryKey: ['request', id],
    queryFn: () => call('operacao', 'GET /requisicoes/{id}', { id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="request-content">
      <Loaded query={content}>
        {({ consulta, corpo, erros }) => (
          <>
            {erros.length > 0 && (
              <ul className="request-errors">
                {erros.map(({ code, message }) => (
                  <li key={`${code} ${message}`}>{message}</li>
                ))}
              </ul>
            )}
            {tipo && (
              <p>
                <a
                  href={`/docs/erros/${encodeURIComponent(tipo)}?idioma=${language}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {t('O que este erro significa e o que fazer', 'What this error means and what to do')}
                </a>
              </p>
            )}
            <dl className="facts">
              <Fact name={t('Identificador', 'Request id')}>
                <code>{requestId}</code> <Copy text={requestId} />
              </Fact>
              <Fact name={t('Credencial', 'Credential')}>
                {t(proofWords[credencial].pt, proofWords[credencial].en)}
                {chave !== null && ` · ${chave}`}
              </Fact>
              <Fact name={t('Duração', 'Duration')}>{`${duration} ms`}</Fact>
            </dl>
            {consulta !== null && <Masked title={t('Consulta', 'Query')} value={consulta} />}
            {corpo !== null && <Masked title={t('Corpo enviado', 'Body sent')} value={corpo} />}
            {(consulta !== null || corpo !== null) && (
              <p className="soft">
                {t(
                  'Nomes, telefones, documentos, endereços e segredos não são guardados: no lugar deles está o tipo e o tamanho.',
                  'Names, phones, documents, addresses and secrets are not kept: their type and length stand in their place.',
                )}
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Scrollable by keyboard, because long lines are not wrapped. */
function Masked({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise a keyboard cannot scroll it */}
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
