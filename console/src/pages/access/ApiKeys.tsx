import { useState } from 'react';
import { OPERATION } from '../../api.ts';
import { type ApiKey, useApiKeys } from '../../data/access.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { Field } from '../../ui/Field.tsx';
import { RegisterSection } from '../../ui/RegisterSection.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../../words.ts';

/** A key is shown once, can be renamed, and is revoked for good. */
export function ApiKeys() {
  const t = useWords();
  const [secret, setSecret] = useState<string | null>(null);
  const columns: Column<ApiKey>[] = [
    { key: 'name', header: t('Descrição', 'Description'), cell: ({ descricao }) => descricao },
    { key: 'made', header: t('Criada', 'Made'), cell: ({ criada_em }) => <TimeAgo at={criada_em} /> },
    {
      key: 'state',
      header: t('Estado', 'State'),
      cell: ({ revogada_em }) =>
        revogada_em ? (
          <Badge letter="R" label={t('Revogada', 'Revoked')} tone="f" />
        ) : (
          <Badge letter="A" label={t('Ativa', 'Active')} tone="e" />
        ),
    },
  ];
  return (
    <>
      <RegisterSection
        title={t('Chaves de acesso (api-key)', 'Access keys (api-key)')}
        query={useApiKeys()}
        columns={columns}
        add={t('Nova chave', 'New key')}
        empty={{
          title: t('Nenhuma chave', 'No key'),
          how: t(
            'Cada sistema integrado usa uma chave própria.',
            'Each integrated system uses a key of its own.',
          ),
        }}
        path={`${OPERATION}/chaves`}
        refresh={['keys']}
        nameOf={({ descricao }) => descricao}
        deleteWord={t('Revogar', 'Revoke')}
        whatDeleting={() =>
          t(
            'Para sempre: quem usa esta chave deixa de ser atendido no mesmo instante.',
            'For good: whoever uses this key is no longer served from that moment on.',
          )
        }
        isOver={({ revogada_em }) => revogada_em !== null}
        form={(key, onClose) => (
          <EntryForm<{ descricao: string }, { chave?: string | null }>
            title={key ? t('Mudar a descrição', 'Change the description') : t('Nova chave', 'New key')}
            draft="chave"
            initial={{ descricao: key?.descricao ?? '' }}
            path={`${OPERATION}/chaves`}
            entry={key}
            toBody={(form) => form}
            refresh={['keys']}
            onSaved={({ chave }) => setSecret(chave ?? null)}
            onClose={onClose}
          >
            {({ text }) => (
              <Field
                label={t('Para quem é', 'Who it is for')}
                required
                placeholder={t('Loja virtual', 'Online shop')}
                {...text('descricao')}
              />
            )}
          </EntryForm>
        )}
      />
      {secret && (
        <SecretOnce
          title={t('Nova chave de acesso', 'New access key')}
          secret={secret}
          note={t(
            'Vai no cabeçalho api-key de cada requisição.',
            'It goes in the api-key header of each request.',
          )}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}
