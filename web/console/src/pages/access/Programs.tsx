import { useState } from 'react';
import { COMPANY_SCOPES, SCOPE_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { useNow } from '../../../../shared/clock.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Body, call } from '../../api.ts';
import { type Program, useCompanies, usePrograms } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { Badge } from '../../ui/badges.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { CheckField, Choices, Field, SelectField } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { EntryForm, RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { SecretOnce, TimeAgo } from '../../ui/texts.tsx';

type Scope = keyof typeof SCOPE_LABELS;
const ALL_SCOPES = Object.keys(SCOPE_LABELS) as Scope[];

interface NewToken {
  programId: string;
  text: string | null;
}

/**
 * Credentials of programs: each has a token of its own, shown once, and may do only what it was given. Those of the test
 * environment reach nothing else.
 */
export function Programs({ isTest = false }: { isTest?: boolean }) {
  const t = useWords();
  const companies = useCompanies();
  const [token, setToken] = useState<NewToken | null>(null);
  const columns: Column<Program>[] = [
    { key: 'name', header: t('Programa', 'Program'), cell: ({ descricao }) => descricao },
    {
      key: 'of',
      header: t('De', 'Of'),
      cell: ({ empresa_id: id }) =>
        id === null
          ? t('Central inteira', 'Whole central')
          : (companies.data?.find((company) => company.id === id)?.nome ?? `#${id}`),
    },
    {
      key: 'scopes',
      header: t('Pode', 'May'),
      cell: ({ permissoes }) => <Scopes scopes={permissoes} />,
    },
    {
      key: 'used',
      header: t('Último uso', 'Last use'),
      cell: ({ ultimo_uso_em: at, enderecos }) =>
        at ? (
          <span title={enderecos.map(({ endereco }) => endereco).join(', ')}>
            <TimeAgo at={at} /> <span className="soft">{enderecos[0]?.endereco}</span>
          </span>
        ) : (
          <span className="soft">{t('nunca', 'never')}</span>
        ),
    },
    { key: 'state', header: t('Estado', 'State'), cell: (program) => <State of={program} /> },
  ];
  // The record of requests that the console shows is that of the real side.
  if (!isTest)
    columns.push({
      key: 'requests',
      header: <span className="unseen">{t('Requisições', 'Requests')}</span>,
      name: t('Requisições', 'Requests'),
      cell: ({ id, descricao }) => (
        <Link
          to={`/requisicoes?usuario_id=${id}`}
          aria-label={t(`Requisições de ${descricao}`, `Requests of ${descricao}`)}
        >
          {t('Requisições', 'Requests')}
        </Link>
      ),
    });
  return (
    <>
      <RegisterSection
        title={isTest ? t('Programas de teste', 'Test programs') : t('Programas', 'Programs')}
        query={usePrograms(isTest ? 'teste' : 'real')}
        columns={columns}
        add={isTest ? t('Novo programa de teste', 'New test program') : t('Novo programa', 'New program')}
        empty={{
          title: isTest
            ? t('Nenhum programa de teste', 'No test program')
            : t('Nenhum programa', 'No program'),
          how: t(
            'Um programa usa um token próprio, sem a senha de ninguém, e só faz o que você marcar.',
            'A program uses a token of its own, without anybody’s password, and does only what you tick.',
          ),
        }}
        permission="keys"
        path="programas"
        refresh={['programs']}
        nameOf={({ descricao }) => descricao}
        editWord={t('Trocar token', 'Replace token')}
        deleteWord={t('Revogar', 'Revoke')}
        whatDeleting={() =>
          t(
            'Para sempre: o programa deixa de ser atendido no mesmo instante.',
            'For good: the program is no longer served from that moment on.',
          )
        }
        isOver={({ revogado_em }) => revogado_em !== null}
        form={(program, onClose) =>
          program ? (
            <ReplaceToken program={program} onNew={setToken} onClose={onClose} />
          ) : (
            <NewProgram isTest={isTest} onNew={setToken} onClose={onClose} />
          )
        }
      />
      {token && (
        <SecretOnce
          title={t('Token do programa', 'Token of the program')}
          secret={token.text}
          remedy={t('Troque o token deste programa.', 'Replace the token of this program.')}
          note={t(
            `Vai no cabeçalho Authorization: Bearer, sem api-key. Com OAuth 2.0, é o client_secret, e o client_id é ${token.programId}.`,
            `It goes in the header Authorization: Bearer, without api-key. With OAuth 2.0 it is the client_secret, and the client_id is ${token.programId}.`,
          )}
          onClose={() => setToken(null)}
        />
      )}
    </>
  );
}

const SHOWN_SCOPES = 2;

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const t = useWords();
  const words = scopes.map((scope) => t(SCOPE_LABELS[scope].pt, SCOPE_LABELS[scope].en));
  const more = words.length - SHOWN_SCOPES;
  return (
    <span title={words.join('\n')}>
      {words.slice(0, SHOWN_SCOPES).join('; ')}
      {more > 0 && <span className="soft">{t(` e mais ${more}`, ` and ${more} more`)}</span>}
    </span>
  );
}

function State({ of: { revogado_em: revoked, expira_em: expires } }: { of: Program }) {
  const t = useWords();
  const now = useNow();
  if (revoked) return <Badge letter="R" label={t('Revogado', 'Revoked')} tone="f" />;
  if (expires && Date.parse(expires) <= now)
    return <Badge letter="V" label={t('Vencido', 'Expired')} tone="f" />;
  return <Badge letter="A" label={t('Ativo', 'Active')} tone="e" />;
}

const VALIDITY = ['30', '90', '365', ''] as const;

function ValidityOptions() {
  const t = useWords();
  return VALIDITY.map((days) => (
    <option key={days} value={days}>
      {days ? t(`${days} dias`, `${days} days`) : t('Sem prazo', 'No end')}
    </option>
  ));
}

interface FormProps {
  onNew: (token: NewToken) => void;
  onClose: () => void;
}

function NewProgram({ isTest, onNew, onClose }: FormProps & { isTest: boolean }) {
  const t = useWords();
  const companies = useCompanies();
  return (
    <EntryForm
      title={isTest ? t('Novo programa de teste', 'New test program') : t('Novo programa', 'New program')}
      draft={isTest ? 'programa-de-teste' : 'programa'}
      initial={{
        descricao: '',
        empresa_id: '',
        permissoes: ['watch', 'order'] as Scope[],
        validade_dias: '365',
      }}
      path="programas"
      toBody={(form): Body<'operacao', 'POST /programas'> => ({
        descricao: form.descricao,
        empresa_id: form.empresa_id || null,
        permissoes: form.permissoes.filter((scope) => isPossible(scope, form.empresa_id)),
        validade_dias: form.validade_dias ? Number(form.validade_dias) : null,
        ...(isTest && { ambiente_de_teste: true }),
      })}
      act={t('Criar token', 'Create the token')}
      refresh={['programs']}
      onSaved={({ id, token }) => onNew({ programId: id, text: token })}
      onClose={onClose}
    >
      {({ form, change, errors, text }) => (
        <>
          <Field
            label={t('Que programa é', 'Which program it is')}
            required
            maxLength={80}
            placeholder={t('Loja virtual', 'Online shop')}
            {...text('descricao')}
          />
          <SelectField label={t('O que ele vê', 'What it sees')} {...text('empresa_id')}>
            <option value="">{t('A central inteira', 'The whole central')}</option>
            <Choices of={companies.data} />
          </SelectField>
          <fieldset>
            <legend>{t('O que ele pode fazer', 'What it may do')}</legend>
            <div style={{ maxHeight: 220, overflowY: 'auto' }}>
              {ALL_SCOPES.filter((scope) => isPossible(scope, form.empresa_id)).map((scope) => (
                <CheckField
                  key={scope}
                  label={t(SCOPE_LABELS[scope].pt, SCOPE_LABELS[scope].en)}
                  checked={form.permissoes.includes(scope)}
                  onChange={({ currentTarget: { checked } }) =>
                    change({
                      permissoes: ALL_SCOPES.filter((each) =>
                        each === scope ? checked : form.permissoes.includes(each),
                      ),
                    })
                  }
                />
              ))}
            </div>
            {errors.of('permissoes') && <p className="field-error">{errors.of('permissoes')}</p>}
          </fieldset>
          <SelectField label={t('Validade', 'Valid for')} {...text('validade_dias')}>
            <ValidityOptions />
          </SelectField>
        </>
      )}
    </EntryForm>
  );
}

const isPossible = (scope: Scope, companyId: string): boolean =>
  companyId === '' || COMPANY_SCOPES.includes(scope);

const SAME = 'same';

function ReplaceToken({ program, onNew, onClose }: FormProps & { program: Program }) {
  const t = useWords();
  const [overlap, setOverlap] = useState('24');
  const [validity, setValidity] = useState(SAME);
  const replace = useAction(
    () =>
      call('operacao', 'POST /programas/{id}/token', {
        id: program.id,
        body: {
          sobreposicao_horas: Number(overlap),
          ...(validity !== SAME && { validade_dias: validity ? Number(validity) : null }),
        },
      }),
    {
      refresh: ['programs'],
      onDone: ({ id, token }) => onNew({ programId: id, text: token }),
      leave: onClose,
    },
  );
  return (
    <Dialog
      title={t(`Trocar o token de ${program.descricao}`, `Replace the token of ${program.descricao}`)}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          replace.mutate();
        }}
      >
        <SelectField
          label={t('O token atual ainda vale por', 'The current token still works for')}
          hint={t(
            'Tempo para colocar o novo no programa sem interrupção.',
            'Time to put the new one into the program without interruption.',
          )}
          value={overlap}
          onChange={({ target }) => setOverlap(target.value)}
        >
          <option value="0">{t('Nem mais um minuto', 'Not a minute more')}</option>
          <option value="1">{t('1 hora', '1 hour')}</option>
          <option value="24">{t('1 dia', '1 day')}</option>
          <option value="168">{t('7 dias', '7 days')}</option>
        </SelectField>
        <SelectField
          label={t('Validade', 'Valid for')}
          value={validity}
          onChange={({ target }) => setValidity(target.value)}
        >
          <option value={SAME}>{t('Como está', 'As it is')}</option>
          <ValidityOptions />
        </SelectField>
        <ErrorBox error={replace.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={replace.isPending}>
            {t('Trocar token', 'Replace token')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
