// Lints and renders a Helm chart and validates the result against JSON schemas, by the packages of `helm lint`,
// `helm template` and `kubeconform`. The two commands themselves compile twice as many packages, most of them for
// clusters and registries, which nothing here talks to.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"sort"
	"strings"

	"github.com/yannh/kubeconform/pkg/validator"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"
)

type request struct {
	Chart string `json:"chart"`
	// Schemas is a path with the placeholders of kubeconform's -schema-location.
	Schemas           string  `json:"schemas"`
	KubernetesVersion string  `json:"kubernetesVersion"`
	Namespace         string  `json:"namespace"`
	Cases             []trial `json:"cases"`
}

type trial struct {
	Name   string         `json:"name"`
	Values map[string]any `json:"values"`
	// API versions that the cluster has beside Kubernetes' own.
	APIVersions []string `json:"apiVersions"`
}

type outcome struct {
	Name string `json:"name"`
	// Refused is why the chart does not render with these values.
	Refused string `json:"refused,omitempty"`
	// Lint has what `helm lint --strict` counts as an error: warnings and errors.
	Lint []string `json:"lint"`
	// Invalid has what `kubeconform -strict` reports.
	Invalid []string `json:"invalid"`
	Objects []any    `json:"objects"`
	Notes   string   `json:"notes"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fail(err)
	}
	checks, err := validator.New([]string{asked.Schemas}, validator.Opts{
		Strict:            true,
		KubernetesVersion: asked.KubernetesVersion,
	})
	if err != nil {
		fail(err)
	}
	outcomes := make([]outcome, 0, len(asked.Cases))
	for _, one := range asked.Cases {
		done, err := try(asked, one, checks)
		if err != nil {
			fail(fmt.Errorf("%s: %w", one.Name, err))
		}
		outcomes = append(outcomes, done)
	}
	if err := json.NewEncoder(os.Stdout).Encode(outcomes); err != nil {
		fail(err)
	}
}

func try(asked request, one trial, checks validator.Validator) (outcome, error) {
	done := outcome{Name: one.Name, Lint: []string{}, Invalid: []string{}, Objects: []any{}}
	chart, err := loader.Load(asked.Chart)
	if err != nil {
		return done, err
	}
	release := common.ReleaseOptions{Name: "quita", Namespace: asked.Namespace, IsInstall: true, Revision: 1}
	abilities := common.DefaultCapabilities.Copy()
	version, err := common.ParseKubeVersion(asked.KubernetesVersion)
	if err != nil {
		return done, err
	}
	abilities.KubeVersion = *version
	abilities.APIVersions = append(abilities.APIVersions, one.APIVersions...)
	values, err := util.ToRenderValues(chart, one.Values, release, abilities)
	if err != nil {
		done.Refused = err.Error()
		return done, nil
	}
	files, err := engine.Engine{Strict: true}.Render(chart, values)
	if err != nil {
		done.Refused = err.Error()
		return done, nil
	}
	for _, message := range lint.RunAll(asked.Chart, one.Values, asked.Namespace, lint.WithKubeVersion(version)).Messages {
		if message.Severity > support.InfoSev {
			done.Lint = append(done.Lint, message.Error())
		}
	}
	for _, name := range sorted(files) {
		if path.Base(name) == "NOTES.txt" {
			done.Notes = files[name]
			continue
		}
		if strings.TrimSpace(files[name]) == "" {
			continue
		}
		for _, result := range checks.Validate(name, io.NopCloser(strings.NewReader(files[name]))) {
			switch result.Status {
			case validator.Empty:
				continue
			case validator.Valid:
			default:
				done.Invalid = append(done.Invalid, fmt.Sprintf("%s: status %d: %v", name, result.Status, result.Err))
			}
			var object any
			if err := yaml.Unmarshal(result.Resource.Bytes, &object); err != nil {
				return done, fmt.Errorf("%s: %w", name, err)
			}
			done.Objects = append(done.Objects, object)
		}
	}
	return done, nil
}

func sorted(files map[string]string) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
