import { type Reason, useReasons } from '../../data/registers.ts';
import { ActiveBadge } from '../../ui/badges.tsx';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { useWords } from '../../words.ts';

export function Reasons() {
  const t = useWords();
  const columns: Column<Reason>[] = [
    { key: 'id', header: 'Id', figures: true, cell: ({ id }) => id },
    { key: 'name', header: t('Motivo', 'Reason'), cell: (one) => t(one.nome, one.nome_en) },
    { key: 'active', header: t('Estado', 'State'), cell: ({ ativo }) => <ActiveBadge active={ativo} /> },
  ];
  return (
    <RegisterSection
      title={t('Motivos de cancelamento', 'Cancellation reasons')}
      query={useReasons()}
      columns={columns}
      add={t('Novo motivo', 'New reason')}
      empty={{
        title: t('Nenhum motivo', 'No reason'),
        how: t('Sem motivo nenhuma entrega pode ser cancelada.', 'Without one no delivery can be cancelled.'),
      }}
      path="motivos-cancelamento"
      refresh={['reasons', 'options']}
      nameOf={({ nome, nome_en }) => t(nome, nome_en)}
      whatDeleting={() =>
        t('Só é possível enquanto nenhuma entrega o usa.', 'Only possible while no delivery uses it.')
      }
      form={(reason, onClose) => <ReasonForm reason={reason} onClose={onClose} />}
    />
  );
}

function ReasonForm({ reason, onClose }: { reason: Reason | null; onClose: () => void }) {
  const t = useWords();
  return (
    <EntryForm
      title={reason ? t('Editar motivo', 'Edit reason') : t('Novo motivo', 'New reason')}
      draft="motivo"
      initial={{ nome: reason?.nome ?? '', nome_en: reason?.nome_en ?? '', ativo: reason?.ativo ?? true }}
      path="motivos-cancelamento"
      entry={reason}
      toBody={({ nome_en, ...form }) => ({ ...form, ...(nome_en && { nome_en }) })}
      refresh={['reasons', 'options']}
      onClose={onClose}
    >
      {({ text, check }) => (
        <>
          <Field label={t('Em português', 'In Portuguese')} required {...text('nome')} />
          <Field label={t('Em inglês', 'In English')} {...text('nome_en')} />
          <CheckField label={t('Em uso', 'In use')} {...check('ativo')} />
        </>
      )}
    </EntryForm>
  );
}
