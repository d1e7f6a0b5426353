import { VEHICLE_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Category, type Tariff, useAreas, useCategories, useTariffs } from '../../data/registers.ts';
import { ActiveBadge } from '../../ui/badges.tsx';
import { CAPACITY_FIELDS, CapacityFields, capacityDraftOf, toCapacity } from '../../ui/CapacityFields.tsx';
import { CheckField, Field, SelectField } from '../../ui/Field.tsx';
import { EntryForm, RegisterSection } from '../../ui/RegisterSection.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Money, Nothing } from '../../ui/texts.tsx';
import { ExplainEstimate } from './ExplainEstimate.tsx';
import { TariffForm } from './TariffForm.tsx';

export function TariffsPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Categorias e tarifas', 'Categories and tariffs')}</h1>
      <Categories />
      <Tariffs />
      <ExplainEstimate />
    </>
  );
}

function Categories() {
  const t = useWords();
  const columns: Column<Category>[] = [
    { key: 'name', header: t('Nome', 'Name'), cell: ({ nome }) => nome },
    {
      key: 'description',
      header: t('Descrição', 'Description'),
      wideOnly: true,
      cell: ({ descricao }) => descricao || <Nothing />,
    },
    {
      key: 'profile',
      header: t('Usa as ruas como', 'Uses the roads as'),
      cell: ({ perfil }) => t(VEHICLE_LABELS[perfil].pt, VEHICLE_LABELS[perfil].en),
    },
    {
      key: 'active',
      header: t('Estado', 'State'),
      cell: ({ ativa }) => <ActiveBadge active={ativa} feminine />,
    },
  ];
  return (
    <RegisterSection
      title={t('Categorias', 'Categories')}
      query={useCategories()}
      columns={columns}
      add={t('Nova categoria', 'New category')}
      empty={{
        title: t('Nenhuma categoria ainda', 'No category yet'),
        how: t(
          'Uma categoria é um tipo de veículo, como moto ou carro. Sem uma não há estimativas.',
          'A category is a kind of vehicle, such as motorcycle or car. Without one there are no estimates.',
        ),
      }}
      permission="tariffs"
      path="categorias"
      refresh={['categories']}
      nameOf={({ nome }) => nome}
      whatDeleting={() => t('Só é possível enquanto nada a usa.', 'Only possible while nothing uses it.')}
      form={(entry, onClose) => <CategoryForm category={entry} onClose={onClose} />}
    />
  );
}

function CategoryForm({ category, onClose }: { category: Category | null; onClose: () => void }) {
  const t = useWords();
  return (
    <EntryForm
      title={
        category ? t(`Editar ${category.nome}`, `Edit ${category.nome}`) : t('Nova categoria', 'New category')
      }
      draft="categoria"
      initial={{
        nome: category?.nome ?? '',
        descricao: category?.descricao ?? '',
        perfil: category?.perfil ?? 'moto',
        ativa: category?.ativa ?? true,
        capacidade: capacityDraftOf(category?.capacidade),
      }}
      fields={['nome', 'descricao', 'perfil', 'ativa', ...CAPACITY_FIELDS]}
      path="categorias"
      entry={category}
      toBody={({ capacidade, ...form }) => ({ ...form, capacidade: toCapacity(capacidade) })}
      refresh={['categories', 'options']}
      onClose={onClose}
    >
      {({ form, change, errors, text, check }) => (
        <>
          <Field label={t('Nome', 'Name')} required {...text('nome')} />
          <Field label={t('Descrição', 'Description')} {...text('descricao')} />
          <SelectField label={t('Usa as ruas como', 'Uses the roads as')} {...text('perfil')}>
            {Object.entries(VEHICLE_LABELS).map(([code, { pt, en }]) => (
              <option key={code} value={code}>
                {t(pt, en)}
              </option>
            ))}
          </SelectField>
          <CapacityFields
            legend={t('O que seus veículos levam', 'What its vehicles carry')}
            hint={t(
              'Vale para os entregadores de quem não se sabe. Vazio: não se sabe, e nada deixa de ser oferecido.',
              'Counts for drivers of whom nothing is known. Empty: not known, and nothing is held back.',
            )}
            draft={form.capacidade}
            errorOf={errors.of}
            onChange={(capacidade) => change({ capacidade })}
          />
          <CheckField label={t('Ativa', 'Active')} {...check('ativa')} />
        </>
      )}
    </EntryForm>
  );
}

function Tariffs() {
  const t = useWords();
  const categories = useCategories();
  const areas = useAreas();
  const columns: Column<Tariff>[] = [
    { key: 'name', header: t('Nome', 'Name'), cell: ({ nome }) => nome },
    {
      key: 'category',
      header: t('Categoria', 'Category'),
      wideOnly: true,
      cell: ({ categoria_id }) => categories.data?.find(({ id }) => id === categoria_id)?.nome ?? '',
    },
    {
      key: 'area',
      header: t('Área', 'Area'),
      wideOnly: true,
      cell: ({ area_id }) =>
        area_id === null
          ? t('todas as outras', 'all others')
          : (areas.data?.find(({ id }) => id === area_id)?.nome ?? ''),
    },
    {
      key: 'base',
      header: t('Bandeirada', 'Base fare'),
      figures: true,
      cell: ({ bandeirada }) => <Money value={bandeirada} />,
    },
    { key: 'km', header: t('Por km', 'Per km'), figures: true, cell: ({ por_km }) => `R$ ${comma(por_km)}` },
    {
      key: 'minute',
      header: t('Por minuto', 'Per minute'),
      figures: true,
      wideOnly: true,
      cell: ({ por_minuto }) => `R$ ${comma(por_minuto)}`,
    },
    {
      key: 'minimum',
      header: t('Mínimo', 'Minimum'),
      figures: true,
      wideOnly: true,
      cell: ({ minimo }) => <Money value={minimo} />,
    },
    {
      key: 'windows',
      header: t('Horários', 'Time windows'),
      figures: true,
      wideOnly: true,
      cell: ({ janelas }) => janelas.length || <Nothing />,
    },
  ];
  return (
    <RegisterSection
      title={t('Tarifas', 'Tariffs')}
      query={useTariffs()}
      columns={columns}
      add={t('Nova tarifa', 'New tariff')}
      empty={{
        title: t('Nenhuma tarifa ainda', 'No tariff yet'),
        how: t(
          'Uma tarifa diz o preço de uma categoria, em toda parte ou em uma área.',
          'A tariff says what a category costs, everywhere or in one area.',
        ),
      }}
      permission="tariffs"
      path="tarifas"
      refresh={['tariffs']}
      nameOf={({ nome }) => nome}
      whatDeleting={() =>
        t(
          'Onde ela vale, passa a valer a tarifa geral da categoria, se houver. Só é possível enquanto nada a usa.',
          'Where it applies, the category’s general tariff applies from then on, if there is one. Only possible while nothing uses it.',
        )
      }
      form={(entry, onClose) => <TariffForm tariff={entry} onClose={onClose} />}
    />
  );
}

/** Rates are not shown as money, because they have up to four decimals. */
const comma = (rate: string): string => rate.replace('.', ',');
