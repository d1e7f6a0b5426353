import { typedPhone } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type Driver, useOptions } from '../../data/registers.ts';
import { fieldErrors, useAction, useEntryDraft } from '../../form.ts';
import { type CapacityDraft, CapacityFields, capacityDraftOf, toCapacity } from '../../ui/CapacityFields.tsx';
import { CompanyChecks } from '../../ui/CompanyChecks.tsx';
import { ConfirmButton, Dialog } from '../../ui/Dialog.tsx';
import { CheckField, Field } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';

interface DriverDraft {
  nome: string;
  telefone: string;
  veiculo: string;
  placa: string;
  cor: string;
  categorias: string[];
  empresas: string[];
  capacidade: CapacityDraft;
  ativo: boolean;
  simulado: boolean;
}

const draftOf = (driver: Driver | null): DriverDraft => ({
  nome: driver?.nome ?? '',
  telefone: typedPhone(driver?.telefone ?? ''),
  veiculo: driver?.veiculo ?? '',
  placa: driver?.placa ?? '',
  cor: driver?.cor ?? '',
  categorias: driver?.categorias ?? [],
  empresas: driver?.empresas ?? [],
  capacidade: capacityDraftOf(driver?.capacidade),
  ativo: driver?.ativo ?? true,
  simulado: driver?.simulado ?? false,
});

/** Registers a driver or changes one. */
export function DriverForm({ driver, onClose }: { driver: Driver | null; onClose: () => void }) {
  const t = useWords();
  const { data: options } = useOptions();
  const [draft, setDraft, clear, assertCurrent] = useEntryDraft<DriverDraft>(
    `condutor.${driver?.id ?? 'novo'}`,
    draftOf(driver),
    ['drivers'],
  );
  const change = (changes: Partial<DriverDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const leave = () => {
    clear();
    onClose();
  };
  const save = useAction(
    async (): Promise<unknown> => {
      const { simulado, capacidade, ...fields } = draft;
      const body = { ...fields, capacidade: toCapacity(capacidade) };
      if (!driver) return call('operacao', 'POST /condutores', { body: { ...body, simulado } });
      await assertCurrent();
      return call('operacao', 'PUT /condutores/{id}', { id: driver.id, body });
    },
    {
      done: t(`${draft.nome} salvo.`, `${draft.nome} saved.`),
      refresh: ['drivers', 'positions'],
      onDone: clear,
      leave: onClose,
    },
  );
  const errors = fieldErrors(save.error);
  const text = (key: 'nome' | 'telefone' | 'veiculo' | 'placa' | 'cor') => ({
    value: draft[key],
    error: errors.of(key),
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      change({ [key]: currentTarget.value }),
    autoComplete: 'off',
  });
  const toggle = (id: string, isIn: boolean) =>
    change({
      categorias: isIn ? [...draft.categorias, id] : draft.categorias.filter((categoria) => categoria !== id),
    });
  return (
    <Dialog title={driver ? driver.nome : t('Novo entregador', 'New driver')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label={t('Nome', 'Name')} {...text('nome')} />
        <Field label={t('Telefone com DDD', 'Phone with area code')} {...text('telefone')} inputMode="tel" />
        <div className="driver-vehicle">
          <Field label={t('Veículo', 'Vehicle')} {...text('veiculo')} />
          <Field label={t('Placa', 'Plate')} {...text('placa')} />
          <Field label={t('Cor', 'Colour')} {...text('cor')} />
        </div>
        <fieldset>
          <legend>{t('Categorias que lhe são oferecidas', 'Categories that are offered')}</legend>
          {options?.categorias.map(({ id, nome }) => (
            <CheckField
              key={id}
              label={nome}
              checked={draft.categorias.includes(id)}
              onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
            />
          ))}
          {errors.of('categorias') && <p className="field-error">{errors.of('categorias')}</p>}
        </fieldset>
        <CompanyChecks
          legend={t('Empresas que atende', 'Companies it works for')}
          hint={t(
            'Nenhuma marcada: atende todas. Com alguma, só recebe entregas dela.',
            'None ticked: works for all. With some, only their deliveries are offered.',
          )}
          chosen={draft.empresas}
          onChange={(empresas) => change({ empresas })}
          error={errors.of('empresas')}
        />
        <CapacityFields
          legend={t('O que o veículo leva', 'What the vehicle carries')}
          hint={t(
            'O que fica vazio vale como na categoria. Sabendo-se, pedidos que ele não leva não lhe são oferecidos.',
            'What is left empty is as in the category. Orders that it is known not to carry are not offered.',
          )}
          draft={draft.capacidade}
          errorOf={errors.of}
          onChange={(capacidade) => change({ capacidade })}
        />
        {driver ? (
          <CheckField
            label={t('Ativo', 'Active')}
            hint={t('Desativado, não recebe ofertas.', 'Inactive, no offers are made.')}
            checked={draft.ativo}
            onChange={({ currentTarget }) => change({ ativo: currentTarget.checked })}
          />
        ) : (
          <CheckField
            label={t('Simulado', 'Simulated')}
            hint={t(
              'De teste: move-se sozinho onde a simulação está ligada. Não muda depois.',
              'For tests: moves by itself where the simulation is on. Cannot be changed later.',
            )}
            checked={draft.simulado}
            onChange={({ currentTarget }) => change({ simulado: currentTarget.checked })}
          />
        )}
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          {driver && (
            <ConfirmButton
              label={t('Excluir', 'Delete')}
              title={t(`Excluir ${driver.nome}?`, `Delete ${driver.nome}?`)}
              what={t(
                'Some do cadastro. Só é possível enquanto nenhuma entrega depende dele; senão, desative-o.',
                'Disappears from the register. Possible only while no delivery depends on it; otherwise make it inactive.',
              )}
              act={t('Excluir entregador', 'Delete driver')}
              danger
              onConfirm={() => call('operacao', 'DELETE /condutores/{id}', { id: driver.id })}
              done={t('Entregador excluído.', 'Driver deleted.')}
              refresh={['drivers', 'positions']}
              leave={leave}
            />
          )}
          <button type="button" onClick={leave}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={save.isPending}>
            {t('Salvar', 'Save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
