#pragma once

#include "base/result.h"
#include "launch/host/hostfacts.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// --conda-env, else DEFAULT_CONDA_ENV_NAME where ANACONDA_DIR is set too (ModelArts images); empty: none. A
/// variable that --unset-env names does not count.
QString wantedCondaEnvironment(const LaunchSpec &spec, const QProcessEnvironment &environment);

/// The conda environments of this machine and user, by name: below ANACONDA_DIR, below the installation of
/// CONDA_EXE, below CONDA_ENVS_PATH and CONDA_ENVS_DIRS, those that conda listed in
/// ~/.conda/environments.txt, and one that `spec` names by its directory. Starts nothing; reads directories.
QList<CondaEnvironment> findCondaEnvironments(const LaunchSpec &spec, const QProcessEnvironment &environment);

/// The environment called `wanted`, by name or by directory. Error: there is none; it lists those that there
/// are.
Result<CondaEnvironment> chooseCondaEnvironment(const QString &wanted, const HostFacts &facts);

} // namespace rankdeck
