import { AppError, type FieldProblem } from '../../../../kernel/errors.ts';

export const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

export const refuseFile = (code: string, message: string): AppError => refuse({ pointer: '/file', code, message });
