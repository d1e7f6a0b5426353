import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type CompanyAddress, useCompanyAddresses } from '../../data/addresses.ts';
import { useAction } from '../../form.ts';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { AddressForm } from './AddressForm.tsx';

/** The pickups and favourites of a company. The form of a new delivery can add to them too. */
export function CompanyAddresses({ companyId }: { companyId: string }) {
  const t = useWords();
  const addresses = useCompanyAddresses(companyId);
  const [isAdding, setAdding] = useState(false);
  const columns: Column<CompanyAddress>[] = [
    { key: 'name', header: t('Nome', 'Name'), cell: ({ nome }) => nome },
    {
      key: 'address',
      header: t('Endereço', 'Address'),
      cell: ({ endereco, complemento, bairro, cidade }) =>
        [endereco, complemento, bairro, cidade].filter(Boolean).join(', '),
    },
    {
      key: 'use',
      header: t('Uso', 'Use'),
      cell: ({ tipo, padrao }) =>
        tipo === 'favorito'
          ? t('favorito', 'favourite')
          : padrao
            ? t('coleta padrão', 'default pickup')
            : t('coleta', 'pickup'),
    },
    {
      key: 'acts',
      header: <span className="unseen">{t('Ações', 'Actions')}</span>,
      cell: (address) => <AddressActions companyId={companyId} address={address} />,
    },
  ];
  return (
    <section className="panel" aria-label={t('Endereços', 'Addresses')}>
      <Loaded query={addresses}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('Nenhum endereço guardado', 'No addresses kept')}>
              {t(
                'Ao abrir uma entrega, guarde a coleta ou um destino: eles aparecem aqui e nas sugestões.',
                'When opening a delivery, keep the pickup or a destination: they appear here and among suggestions.',
              )}
            </Empty>
          ) : (
            <Table
              label={t('Coletas e favoritos da empresa', 'The company’s pickups and favourites')}
              columns={columns}
              rows={all}
              rowKey={({ id }) => id}
              cards
            />
          )
        }
      </Loaded>
      <p className="actions">
        <button type="button" onClick={() => setAdding(true)}>
          {t('Adicionar endereço', 'Add an address')}
        </button>
      </p>
      {isAdding && <AddressForm companyId={companyId} address={null} onClose={() => setAdding(false)} />}
    </section>
  );
}

function AddressActions({ companyId, address }: { companyId: string; address: CompanyAddress }) {
  const t = useWords();
  const refresh = ['company-addresses', 'known-addresses'];
  const { id: endereco_id, ...values } = address;
  const makeDefault = useAction(
    () =>
      call('operacao', 'PUT /empresas/{id}/enderecos/{endereco_id}', {
        id: companyId,
        endereco_id,
        body: { ...values, padrao: true },
      }),
    {
      done: t('As novas entregas começam nesta coleta.', 'New deliveries begin at this pickup.'),
      refresh,
      toastsFailure: true,
    },
  );
  const remove = useAction(
    () => call('operacao', 'DELETE /empresas/{id}/enderecos/{endereco_id}', { id: companyId, endereco_id }),
    { done: t('Endereço excluído.', 'Address deleted.'), refresh },
  );
  const [isEditing, setEditing] = useState(false);
  return (
    <div className="actions in-row">
      {address.tipo === 'partida' && !address.padrao && (
        <button
          type="button"
          className="plain"
          disabled={makeDefault.isPending}
          onClick={() => makeDefault.mutate()}
        >
          {t('Tornar padrão', 'Make default')}
        </button>
      )}
      <button
        type="button"
        className="plain"
        aria-label={t(`Editar ${address.nome}`, `Edit ${address.nome}`)}
        onClick={() => setEditing(true)}
      >
        {t('Editar', 'Edit')}
      </button>
      <ConfirmButton
        label={t('Excluir', 'Delete')}
        className="plain"
        title={t(`Excluir ${address.nome}?`, `Delete ${address.nome}?`)}
        what={t(
          'O endereço deixa de ser sugerido. As entregas feitas não mudam.',
          'The address is no longer suggested. Past deliveries stay as they are.',
        )}
        act={t('Excluir endereço', 'Delete address')}
        danger
        onConfirm={() => remove.mutateAsync()}
      />
      {isEditing && <AddressForm companyId={companyId} address={address} onClose={() => setEditing(false)} />}
    </div>
  );
}
