import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatFullMoment } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call, type Entry, readAll } from '../../api.ts';
import { fieldErrors, useAction } from '../../form.ts';
import { useSession } from '../../session.tsx';
import { Badge } from '../../ui/badges.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { EntryForm, RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { SecretOnce, TimeAgo } from '../../ui/texts.tsx';
import { Programs } from './Programs.tsx';

type TestKey = Entry<'operacao', 'GET /ambiente-de-teste/chaves'>;

/** Where integrators try things out: its clock, its keys, and how it is emptied. The console itself stays on the real side. */
export function SandboxPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Ambiente de teste', 'Test environment')}</h1>
      <p className="soft">
        {t(
          'Quem integra um sistema testa aqui com os mesmos cadastros, preços, usuários e senhas. Nada do que se faz com uma chave de teste aparece no console, nos relatórios ou nos fechamentos.',
          'Whoever integrates a system tests here with the same registers, prices, users and passwords. Nothing done with a test key appears in the console, in reports or in closings.',
        )}
      </p>
      <SandboxClock />
      <TestKeys />
      <Programs isTest />
    </>
  );
}

const STEPS = [
  { minutes: 30, pt: '+ 30 minutos', en: '+ 30 minutes' },
  { minutes: 60, pt: '+ 1 hora', en: '+ 1 hour' },
  { minutes: 24 * 60, pt: '+ 1 dia', en: '+ 1 day' },
] as const;

function SandboxClock() {
  const t = useWords();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  const [minutes, setMinutes] = useState('');
  const query = useQuery({
    queryKey: ['sandbox'],
    queryFn: () => call('operacao', 'GET /ambiente-de-teste'),
  });
  const advance = useAction(
    (by: number) => call('operacao', 'POST /ambiente-de-teste/relogio', { body: { avancar_minutos: by } }),
    {
      refresh: ['sandbox'],
      done: t('Relógio adiantado.', 'Clock put forward.'),
      onDone: () => setMinutes(''),
    },
  );
  const wipe = useAction(() => call('operacao', 'DELETE /ambiente-de-teste'), {
    refresh: ['sandbox'],
    done: t('Ambiente de teste apagado.', 'Test environment wiped.'),
  });
  const errors = fieldErrors(advance.error, (field) => field === 'avancar_minutos');
  return (
    <section style={{ marginBottom: 32 }}>
      <header className="page-head">
        <h2>{t('Relógio', 'Clock')}</h2>
        <ConfirmButton
          label={t('Apagar tudo', 'Wipe everything')}
          title={t('Apagar o ambiente de teste?', 'Wipe the test environment?')}
          what={t(
            'Entregas, créditos e webhooks de teste deixam de existir para todos os que testam. Os cadastros são copiados de novo e o relógio volta à hora certa. As chaves de teste continuam valendo.',
            'Test deliveries, credit and webhooks are gone for all who test. The registers are copied anew and the clock is right again. Test keys stay valid.',
          )}
          act={t('Apagar tudo', 'Wipe everything')}
          danger
          onConfirm={() => wipe.mutateAsync()}
        />
      </header>
      <Loaded query={query}>
        {({ agora, adiantado_minutos: ahead }) => (
          <p>
            {t('No ambiente de teste são ', 'In the test environment it is ')}
            <strong>{formatFullMoment(Date.parse(agora), zone, language)}</strong>
            {ahead === 0 ? t(': a hora certa.', ': the present time.') : t(', adiantado.', ', put forward.')}
          </p>
        )}
      </Loaded>
      <p className="actions in-row">
        {STEPS.map(({ minutes: by, pt, en }) => (
          <button key={by} type="button" disabled={advance.isPending} onClick={() => advance.mutate(by)}>
            {t(pt, en)}
          </button>
        ))}
      </p>
      <form
        className="in-row"
        onSubmit={(event) => {
          event.preventDefault();
          advance.mutate(Number(minutes));
        }}
      >
        <Field
          label={t('Outros minutos', 'Other minutes')}
          hint={t(
            'O relógio só anda para a frente, até 31 dias de cada vez.',
            'The clock only goes forward, at most 31 days at a time.',
          )}
          type="number"
          min={1}
          max={44_640}
          required
          value={minutes}
          error={errors.of('avancar_minutos')}
          onChange={({ target }) => setMinutes(target.value)}
        />
        <button type="submit" disabled={advance.isPending}>
          {t('Adiantar', 'Put forward')}
        </button>
      </form>
      <ErrorBox error={errors.rest} />
    </section>
  );
}

function TestKeys() {
  const t = useWords();
  const [secret, setSecret] = useState<{ text: string | null } | null>(null);
  const query = useQuery({
    queryKey: ['sandbox-keys'],
    queryFn: () => readAll((page) => call('operacao', 'GET /ambiente-de-teste/chaves', page)),
  });
  const columns: Column<TestKey>[] = [
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
        title={t('Chaves de teste', 'Test keys')}
        query={query}
        columns={columns}
        add={t('Nova chave de teste', 'New test key')}
        empty={{
          title: t('Nenhuma chave de teste', 'No test key'),
          how: t(
            'Crie uma para cada sistema que vai testar. Ela nunca alcança entregas reais.',
            'Make one for each system that will test. It never reaches real deliveries.',
          ),
        }}
        permission="keys"
        path="ambiente-de-teste/chaves"
        refresh={['sandbox-keys']}
        nameOf={({ descricao }) => descricao}
        isFixed
        deleteWord={t('Revogar', 'Revoke')}
        whatDeleting={() =>
          t(
            'Para sempre: quem usa esta chave deixa de ser atendido no mesmo instante.',
            'For good: whoever uses this key is no longer served from that moment on.',
          )
        }
        isOver={({ revogada_em }) => revogada_em !== null}
        form={(_, onClose) => (
          <EntryForm
            title={t('Nova chave de teste', 'New test key')}
            draft="chave-de-teste"
            initial={{ descricao: '' }}
            path="ambiente-de-teste/chaves"
            toBody={(form) => form}
            refresh={['sandbox-keys']}
            onSaved={({ chave }) => setSecret({ text: chave ?? null })}
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
          title={t('Nova chave de teste', 'New test key')}
          secret={secret.text}
          remedy={t('Revogue esta chave e crie outra.', 'Revoke this key and create another one.')}
          note={t(
            'Vai no cabeçalho api-key, com os mesmos usuários e senhas.',
            'It goes in the api-key header, with the same users and passwords.',
          )}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}
