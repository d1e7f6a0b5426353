import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type ListedCorrection, useCorrections } from '../../data/addresses.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Pager, Table, usePage } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/texts.tsx';

const LIMIT = 50;

const addressOf = ({ rua, numero, cidade }: ListedCorrection): string =>
  [rua, numero, cidade].filter(Boolean).join(', ');

/** Addresses that drivers and the central have corrected. Removing one lets it be found as before. */
export function CorrectionsPage() {
  const t = useWords();
  const text = usePlace().query.get('texto') ?? '';
  const corrections = useCorrections(text, usePage(), LIMIT);
  const columns: Column<ListedCorrection>[] = [
    { key: 'when', header: t('Quando', 'When'), cell: ({ em }) => <TimeAgo at={em} /> },
    { key: 'address', header: t('Endereço', 'Address'), cell: addressOf },
    {
      key: 'position',
      header: t('Ponto', 'Point'),
      wideOnly: true,
      cell: ({ lat, lng }) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`,
    },
    {
      key: 'who',
      header: t('Quem', 'Who'),
      cell: ({ autor, origem }) => (
        <>
          {autor ?? t('não registrado', 'not recorded')}
          <span className="second soft">
            {origem === 'entregador' ? t('entregador', 'driver') : t('central', 'central')}
          </span>
        </>
      ),
    },
    {
      key: 'acts',
      header: <span className="unseen">{t('Ações', 'Actions')}</span>,
      cell: (correction) => <RemoveButton correction={correction} />,
    },
  ];
  return (
    <>
      <p>
        <Link to="/">‹ {t('O dia', 'The day')}</Link>
      </p>
      <h1>{t('Endereços corrigidos', 'Corrected addresses')}</h1>
      <div className="filters">
        <Field
          label={t('Procurar', 'Search')}
          type="search"
          value={text}
          onChange={({ currentTarget }) =>
            go(withQuery({ texto: currentTarget.value || null, pagina: null }), { replace: true })
          }
        />
      </div>
      <Loaded query={corrections}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('Nenhum endereço corrigido', 'No corrected address')}>
              {t(
                'Os pontos que a central ou um entregador corrige aparecem aqui, e podem ser desfeitos.',
                'Points that the central or a driver corrects appear here, and can be removed.',
              )}
            </Empty>
          ) : (
            <>
              <Table
                label={t('Endereços corrigidos', 'Corrected addresses')}
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
              />
              <Pager shown={rows.length} limit={LIMIT} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function RemoveButton({ correction }: { correction: ListedCorrection }) {
  const t = useWords();
  const { id } = correction;
  return (
    <ConfirmButton
      label={t('Desfazer', 'Undo')}
      className="plain"
      title={t('Desfazer a correção?', 'Undo the correction?')}
      what={t(
        `Os próximos pedidos para ${addressOf(correction)} voltam a ser localizados como antes.`,
        `The next orders for ${addressOf(correction)} are located as before.`,
      )}
      act={t('Desfazer correção', 'Undo correction')}
      danger
      onConfirm={() => call('operacao', 'DELETE /enderecos/correcoes/{id}', { id })}
      done={t('Correção desfeita.', 'Correction undone.')}
      refresh={['corrections', 'address-search']}
    />
  );
}
