{{- define "quita.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "quita.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "quita.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "quita.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "quita.selector" -}}
app.kubernetes.io/name: {{ include "quita.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quita.labels" -}}
{{ include "quita.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "quita.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository (default .Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The variables that a role reads from its Secret, and no others. A name in `optional` may be missing there. */}}
{{- define "quita.secretsOf" -}}
api:
  required: [DATABASE_URL, JWT_SECRET, RECEIPT_SECRET, PAYMENT_WEBHOOK_SECRET, MESSAGING_WEBHOOK_SECRET, ENCRYPTION_KEY, PERSON_SECRET]
  optional: [EVIDENCE_KEYS, TEMPORAL_API_KEY, METRICS_TOKEN, OIDC_CLIENT_SECRET, WHATSAPP_VERIFY_TOKEN, MERCADOPAGO_ACCESS_TOKEN, WHATSAPP_TOKEN, TWILIO_AUTH_TOKEN, ZENVIA_TOKEN, SMTP_URL]
worker:
  required: [DATABASE_URL, RECEIPT_SECRET, ENCRYPTION_KEY, PERSON_SECRET]
  optional: [TEMPORAL_API_KEY, METRICS_TOKEN, MERCADOPAGO_ACCESS_TOKEN, WHATSAPP_TOKEN, TWILIO_AUTH_TOKEN, ZENVIA_TOKEN, SMTP_URL, LLM_API_KEY]
relay:
  required: [DATABASE_URL]
  optional: [TEMPORAL_API_KEY, METRICS_TOKEN]
migrate:
  required: [DATABASE_URL, DATABASE_API_PASSWORD, DATABASE_WORKER_PASSWORD]
  optional: []
operator:
  required: [DATABASE_URL, DATABASE_API_PASSWORD, DATABASE_WORKER_PASSWORD, RECEIPT_SECRET, ENCRYPTION_KEY, PERSON_SECRET]
  optional: [MERCADOPAGO_ACCESS_TOKEN, WHATSAPP_TOKEN, TWILIO_AUTH_TOKEN, ZENVIA_TOKEN, SMTP_URL]
{{- end -}}

{{/* Takes { root, role, secret }. */}}
{{- define "quita.secretEnv" -}}
{{- $names := index (include "quita.secretsOf" . | fromYaml) .role -}}
{{- $secret := .secret -}}
{{- range $names.required }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- range $names.optional }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end -}}

{{- define "quita.temporalEnv" -}}
{{- with .Values.temporal }}
- { name: TEMPORAL_ADDRESS, value: {{ .address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .namespace | quote }} }
{{- if .tls.enabled }}
- { name: TEMPORAL_TLS, value: "true" }
{{- with .tls.serverName }}
- { name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }} }
{{- end }}
{{- if .tls.ca }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /etc/quita/temporal/ca.crt }
{{- end }}
{{- if .tls.clientCertificate }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/quita/temporal/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/quita/temporal/tls.key }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What every pod has: no root, no token of the cluster, no variables of other services. */}}
{{- define "quita.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "quita.containerSecurity" -}}
image: {{ include "quita.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Node and its libraries write no files; this is for a library that asks for a temporary file. */}}
{{- define "quita.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.temporal.tls.existingSecret }}
- { name: temporal-tls, mountPath: /etc/quita/temporal, readOnly: true }
{{- end }}
{{- end -}}

{{- define "quita.volumes" -}}
- { name: tmp, emptyDir: { medium: Memory, sizeLimit: 64Mi } }
{{- with .Values.temporal.tls.existingSecret }}
- { name: temporal-tls, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
{{- end -}}

{{/* An empty list of peers would allow every address, so it is refused. */}}
{{- define "quita.peers" -}}
{{- if not .peers -}}
{{- fail (printf "networkPolicy.%s.peers: name where it is, or set networkPolicy.enabled to false" .name) -}}
{{- end -}}
{{ toYaml .peers }}
{{- end -}}
