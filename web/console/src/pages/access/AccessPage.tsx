import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import {
  type ApiKey,
  type Role,
  type User,
  useApiKeys,
  useCompanies,
  useDrivers,
  useUsers,
} from '../../data/registers.ts';
import { IfMay } from '../../session.tsx';
import { ActiveBadge, Badge } from '../../ui/badges.tsx';
import { CheckField, Choices, Field, SelectField } from '../../ui/Field.tsx';
import { EntryForm, RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { SecretOnce, TimeAgo } from '../../ui/texts.tsx';
import { Programs } from './Programs.tsx';

/** A key is shown once and can be renamed. Revoking it is final. */
function ApiKeys() {
  const t = useWords();
  const [secret, setSecret] = useState<{ text: string | null } | null>(null);
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
        title={t('Chaves de acesso', 'Access keys')}
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
        permission="keys"
        path="chaves"
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
          <EntryForm
            title={key ? t('Mudar a descrição', 'Change the description') : t('Nova chave', 'New key')}
            draft="chave"
            initial={{ descricao: key?.descricao ?? '' }}
            path="chaves"
            entry={key}
            toBody={(form) => form}
            refresh={['keys']}
            onSaved={({ chave }) => !key && setSecret({ text: chave ?? null })}
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
          secret={secret.text}
          remedy={t('Revogue esta chave e crie outra.', 'Revoke this key and create another one.')}
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

const roles: Record<Role, { pt: string; en: string }> = {
  operador: { pt: 'Operador: conduz a central', en: 'Operator: runs the central' },
  supervisor: { pt: 'Supervisor: pode tudo na central', en: 'Supervisor: may do everything' },
  financeiro: { pt: 'Financeiro: fechamentos e saldos', en: 'Finance: closings and balances' },
  atendente: { pt: 'Atendente: pedidos e consultas', en: 'Attendant: orders and search' },
  consulta: { pt: 'Consulta: só lê', en: 'Read-only: changes nothing' },
  integrador: {
    pt: 'Integrador: vê a central pela integração',
    en: 'Integrator: sees the central by the integration',
  },
  gerente: { pt: 'Gerente: vê a própria empresa', en: 'Manager: sees the own company' },
  condutor: { pt: 'Entregador: age por si', en: 'Driver: acts for itself' },
};
const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 200;

function Users() {
  const t = useWords();
  const companies = useCompanies();
  const drivers = useDrivers();
  const nameOf = (list: readonly { id: string; nome: string }[] | undefined, wanted: string) =>
    list?.find(({ id }) => id === wanted)?.nome ?? `#${wanted}`;
  const columns: Column<User>[] = [
    { key: 'name', header: t('Usuário', 'User'), cell: ({ usuario }) => usuario },
    {
      key: 'role',
      header: t('Perfil', 'Role'),
      cell: ({ perfil }) => t(roles[perfil].pt, roles[perfil].en).split(':')[0],
    },
    {
      key: 'of',
      header: t('De', 'Of'),
      cell: ({ empresa_id, condutor_id }) =>
        empresa_id !== null
          ? nameOf(companies.data, empresa_id)
          : condutor_id !== null
            ? nameOf(drivers.data, condutor_id)
            : t('Central', 'Central'),
    },
    { key: 'active', header: t('Estado', 'State'), cell: ({ ativo }) => <ActiveBadge active={ativo} /> },
  ];
  return (
    <RegisterSection
      title={t('Usuários', 'Users')}
      query={useUsers()}
      columns={columns}
      add={t('Novo usuário', 'New user')}
      empty={{
        title: t('Nenhum usuário', 'No user'),
        how: t('Quem entra no console ou na integração aparece aqui.', 'Who logs in appears here.'),
      }}
      permission="users"
      path="usuarios"
      refresh={['users']}
      nameOf={({ usuario }) => usuario}
      whatDeleting={() =>
        t('Deixa de entrar no mesmo instante.', 'Can no longer log in from that moment on.')
      }
      form={(user, onClose) => <UserForm user={user} onClose={onClose} />}
    />
  );
}

function UserForm({ user, onClose }: { user: User | null; onClose: () => void }) {
  const t = useWords();
  const companies = useCompanies();
  const drivers = useDrivers();
  // Kept outside the draft, because passwords must not be in the browser's storage.
  const [password, setPassword] = useState('');
  return (
    <EntryForm
      title={user ? t(`Editar ${user.usuario}`, `Edit ${user.usuario}`) : t('Novo usuário', 'New user')}
      draft="usuario"
      initial={{
        usuario: user?.usuario ?? '',
        perfil: user?.perfil ?? ('operador' as Role),
        empresa_id: String(user?.empresa_id ?? ''),
        condutor_id: String(user?.condutor_id ?? ''),
        ativo: user?.ativo ?? true,
      }}
      path="usuarios"
      entry={user}
      toBody={(form) => ({
        usuario: form.usuario,
        perfil: form.perfil,
        empresa_id: form.perfil === 'gerente' && form.empresa_id ? form.empresa_id : null,
        condutor_id: form.perfil === 'condutor' && form.condutor_id ? form.condutor_id : null,
        ativo: form.ativo,
        // Only a new user must have a password. If it is omitted, an existing user keeps the password.
        ...((password ? { senha: password } : {}) as { senha: string }),
      })}
      refresh={['users']}
      onClose={onClose}
      fields={['usuario', 'perfil', 'empresa_id', 'condutor_id', 'senha', 'ativo']}
    >
      {({ form, errors, text, check }) => (
        <>
          <Field label={t('Usuário', 'User')} required autoComplete="off" {...text('usuario')} />
          <Field
            label={t('Senha', 'Password')}
            type="password"
            required={!user}
            minLength={PASSWORD_LENGTH_MIN}
            maxLength={PASSWORD_LENGTH_MAX}
            autoComplete="new-password"
            hint={
              user
                ? t(
                    'Vazia: continua a mesma. Ao menos 8 caracteres.',
                    'Empty: stays the same. At least 8 characters.',
                  )
                : t('Ao menos 8 caracteres.', 'At least 8 characters.')
            }
            value={password}
            error={errors.of('senha')}
            onChange={(event) => setPassword(event.target.value)}
          />
          <SelectField label={t('Perfil', 'Role')} {...text('perfil')}>
            {Object.entries(roles).map(([role, { pt, en }]) => (
              <option key={role} value={role}>
                {t(pt, en)}
              </option>
            ))}
          </SelectField>
          {form.perfil === 'gerente' && (
            <SelectField label={t('Empresa', 'Company')} required {...text('empresa_id')}>
              <option value="">{t('Escolha', 'Choose')}</option>
              <Choices of={companies.data} />
            </SelectField>
          )}
          {form.perfil === 'condutor' && (
            <SelectField label={t('Entregador', 'Driver')} required {...text('condutor_id')}>
              <option value="">{t('Escolha', 'Choose')}</option>
              <Choices of={drivers.data} />
            </SelectField>
          )}
          <CheckField label={t('Ativo', 'Active')} {...check('ativo')} />
        </>
      )}
    </EntryForm>
  );
}

export function AccessPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Usuários e chaves', 'Users and keys')}</h1>
      <Users />
      <IfMay permission="keys">
        <ApiKeys />
        <Programs />
      </IfMay>
    </>
  );
}
