import { localInputs, toInstant } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Coupon, type Reason, useCoupons, useReasons } from '../../data/registers.ts';
import { useSession } from '../../session.tsx';
import { DecimalField, MomentField, WholeField } from '../../ui/BrazilianFields.tsx';
import { ActiveBadge } from '../../ui/badges.tsx';
import { CompanyChecks } from '../../ui/CompanyChecks.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { EntryForm, RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { SettingsForm } from './SettingsForm.tsx';

export function SettingsPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Configurações', 'Settings')}</h1>
      <SettingsForm />
      <Reasons />
      <Coupons />
    </>
  );
}

function Reasons() {
  const t = useWords();
  const columns: Column<Reason>[] = [
    { key: 'name', header: t('Motivo', 'Reason'), cell: (each) => t(each.nome, each.nome_en) },
    { key: 'id', header: t('Nº', 'No.'), figures: true, cell: ({ id }) => id },
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
      permission="settings"
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
          <CheckField label={t('Ativo', 'Active')} {...check('ativo')} />
        </>
      )}
    </EntryForm>
  );
}

function Coupons() {
  const t = useWords();
  const columns: Column<Coupon>[] = [
    { key: 'code', header: t('Código', 'Code'), cell: ({ codigo }) => codigo },
    {
      key: 'percent',
      header: t('Desconto', 'Discount'),
      figures: true,
      cell: ({ percentual }) => `${percentual.replace('.', ',')} %`,
    },
    {
      key: 'until',
      header: t('Válido até', 'Valid until'),
      cell: ({ valido_ate }) => (valido_ate ? <TimeAgo at={valido_ate} /> : t('sem fim', 'no end')),
    },
    {
      key: 'uses',
      header: t('Usos', 'Uses'),
      figures: true,
      cell: ({ usos, limite_usos }) =>
        limite_usos === null ? usos : t(`${usos} de ${limite_usos}`, `${usos} of ${limite_usos}`),
    },
    {
      key: 'companies',
      header: t('Empresas', 'Companies'),
      wideOnly: true,
      cell: ({ empresas }) => (empresas.length === 0 ? t('todas', 'all') : empresas.length),
    },
    { key: 'active', header: t('Estado', 'State'), cell: ({ ativo }) => <ActiveBadge active={ativo} /> },
  ];
  return (
    <RegisterSection
      title={t('Cupons', 'Coupons')}
      query={useCoupons()}
      columns={columns}
      add={t('Novo cupom', 'New coupon')}
      empty={{
        title: t('Nenhum cupom', 'No coupon'),
        how: t(
          'Um cupom dá um desconto em percentual a quem informa o seu código.',
          'A coupon gives a discount in percent to whoever gives its code.',
        ),
      }}
      permission="tariffs"
      path="cupons"
      refresh={['coupons']}
      nameOf={({ codigo }) => codigo}
      whatDeleting={() =>
        t('Só é possível enquanto nenhuma entrega o usou.', 'Only possible while no delivery used it.')
      }
      form={(coupon, onClose) => <CouponForm coupon={coupon} onClose={onClose} />}
    />
  );
}

function CouponForm({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) {
  const t = useWords();
  const { fuso_horario: zone } = useSession().central;
  const end = coupon?.valido_ate ? localInputs(Date.parse(coupon.valido_ate), zone) : null;
  return (
    <EntryForm
      title={coupon ? t(`Editar ${coupon.codigo}`, `Edit ${coupon.codigo}`) : t('Novo cupom', 'New coupon')}
      draft="cupom"
      initial={{
        codigo: coupon?.codigo ?? '',
        percentual: coupon?.percentual ?? '',
        gerador_cupom_id: coupon?.gerador_cupom_id ?? '',
        valido_ate: end ? `${end.date}T${end.time}` : '',
        limite_usos: String(coupon?.limite_usos ?? ''),
        limite_usos_por_empresa: String(coupon?.limite_usos_por_empresa ?? ''),
        empresas: coupon?.empresas ?? [],
        ativo: coupon?.ativo ?? true,
      }}
      path="cupons"
      entry={coupon}
      toBody={({ valido_ate, percentual, limite_usos, limite_usos_por_empresa, ...form }) => ({
        ...form,
        limite_usos: toCount(limite_usos) as number | null,
        limite_usos_por_empresa: toCount(limite_usos_por_empresa) as number | null,
        percentual: percentual.trim().replace(',', '.'),
        valido_ate: valido_ate ? toInstant(valido_ate, zone) : null,
      })}
      refresh={['coupons']}
      onClose={onClose}
    >
      {({ form, change, errors, text, typed, check }) => (
        <>
          <Field label={t('Código', 'Code')} required {...text('codigo')} />
          <DecimalField
            label={t('Desconto em %', 'Discount in %')}
            required
            placeholder="10,00"
            {...typed('percentual')}
          />
          <MomentField
            label={t('Válido até (vazio: sem fim)', 'Valid until (empty: no end)')}
            usualTime="23:59"
            {...typed('valido_ate')}
          />
          <WholeField
            label={t('Usos ao todo (vazio: sem limite)', 'Uses in total (empty: no limit)')}
            {...typed('limite_usos')}
          />
          <WholeField
            label={t('Usos por empresa (vazio: sem limite)', 'Uses per company (empty: no limit)')}
            hint={t('Sem empresa, conta por CPF.', 'Without a company, counted by CPF.')}
            {...typed('limite_usos_por_empresa')}
          />
          <CompanyChecks
            legend={t('Empresas que podem usar', 'Companies that may use it')}
            hint={t(
              'Nenhuma marcada: todos podem. Com alguma, só ela pode.',
              'None ticked: everybody may. With some, only they may.',
            )}
            chosen={form.empresas}
            onChange={(empresas) => change({ empresas })}
            error={errors.of('empresas')}
          />
          <Field
            label={t('Gerador', 'Generator')}
            hint={t('Quem criou o cupom, se outro sistema', 'Who made the coupon, if another system')}
            {...text('gerador_cupom_id')}
          />
          <CheckField label={t('Ativo', 'Active')} {...check('ativo')} />
        </>
      )}
    </EntryForm>
  );
}

/** A text that is not a number is sent unchanged, for the server to refuse. */
const toCount = (text: string): number | string | null => {
  const plain = text.trim();
  return plain === '' ? null : Number.isNaN(Number(plain)) ? plain : Number(plain);
};
